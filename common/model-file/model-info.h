/* model-info: the contents of a model as lines of tab-separated columns; see nmt-info(1). */
#ifndef MODEL_INFO_H
#define MODEL_INFO_H

#include "base/buf.h"
#include "base/cli.h"
#include "model/model.h"

/* Appends settings, attention variants, heads, vocabularies and parameters. */
void model_info(const struct model *m, struct buf *out);

/* Appends the provenance: one line "pg TAB command" for each line of pg, which may be NULL. */
void info_provenance(const char *pg, struct buf *out);

/* Appends the settings in state, one line "prefix.key TAB value" each. */
void info_settings(const char *prefix, const struct opt *table, const void *state, struct buf *out);

/*
 * Appends the number of elements of all parameters, and for each a line
 * "parameter TAB name TAB shape TAB elements".
 */
void info_parameters(const struct params *p, struct buf *out);

#endif
