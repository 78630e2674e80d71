/* model-info: what is in a model, as rows with tabs; see nmt-info(1). */
#ifndef MODEL_INFO_H
#define MODEL_INFO_H

#include "base/buf.h"
#include "base/cli.h"
#include "model/model.h"

/* Settings, variants, vocabularies and parameters. */
void model_info(const struct model *m, struct buf *out);
/* Where it came from, a row a program. */
void info_provenance(const char *pg, struct buf *out);
/* "key=value,key=value" as rows "prefix.key TAB value". */
void info_settings(const char *prefix, const struct opt *table, const void *state, struct buf *out);
/* How many numbers there are, and a row "parameter TAB name TAB shape TAB numbers" for each. */
void info_parameters(const struct params *p, struct buf *out);

#endif
