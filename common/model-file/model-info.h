/* model-info: the contents of a model as lines of tab-separated columns; see nmt-info(1). */
#ifndef MODEL_INFO_H
#define MODEL_INFO_H

#include "base/buf.h"
#include "base/cli.h"
#include "model/model.h"

/*
 * Appends all lines of nmt-info(1) but the provenance: settings, attention variants, heads,
 * vocabularies and parameters.
 */
void model_info(const struct model *m, struct buf *out);

/* Appends the provenance: one line "pg TAB command" for each line of `pg`, which may be NULL. */
void info_provenance(const char *pg, struct buf *out);

/*
 * Appends a line "prefix.key TAB value" for each setting in `state` that cli_settings_describe()
 * (base/cli.h) writes with `table`.
 */
void info_settings(const char *prefix, const struct opt *table, const void *state, struct buf *out);

/*
 * Appends a line "parameters TAB N" with the number of elements of all parameters, and for each
 * parameter a line "parameter TAB name TAB shape TAB elements TAB type".
 */
void info_parameters(const struct params *p, struct buf *out);

/*
 * Appends the elements of the parameter `name` with nine significant digits.  Each line has the
 * elements along the last dimension, separated by tabs.  Returns -1 with EXIT_USAGE if there is no
 * parameter of this name.
 */
int info_tensor(const struct params *p, const char *name, struct buf *out, struct err *e) MUST_USE;

#endif
