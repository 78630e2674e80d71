/*
 * model-measures: reads measures of heads from a stream of kind "head", for the heads of a model or
 * of a stream with attention weights.
 */
#ifndef MODEL_MEASURES_H
#define MODEL_MEASURES_H

#include <stdbool.h>

#include "analysis/head-table.h"
#include "analysis/sentence-attention.h"

/*
 * Adds the measures in the stream `path` to the table `t`.  `sites` has the attention layers with
 * all heads that may occur; `model` is the digest of their model, or NULL if it is unknown.
 * `force` allows reading binary data from a terminal.  Returns -1 with EXIT_INPUT if the stream
 * names another model, or heads that `sites` does not have, or as reader_open() and
 * head_table_read().
 */
int model_measures_read(struct head_table *t, const char *path, struct site_list sites,
			const char *model, bool force, struct err *e) MUST_USE;

#endif
