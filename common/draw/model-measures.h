/*
 * model-measures: measures of the heads of a model, or of a stream with attention weights, from
 * streams of kind head.
 */
#ifndef MODEL_MEASURES_H
#define MODEL_MEASURES_H

#include <stdbool.h>

#include "analysis/head-table.h"
#include "analysis/sentence-attention.h"

/*
 * Adds the measures of the stream at path to t.  `sites` has all heads; `model` is the digest of
 * their model, or NULL if it is not known.  `force` allows binary data from a terminal.  Returns -1
 * as reader_open() and head_table_read(), and with EXIT_INPUT for a stream that names another
 * model, or heads that there are not.
 */
int model_measures_read(struct head_table *t, const char *path, struct site_list sites,
			const char *model, bool force, struct err *e) MUST_USE;

#endif
