/* model-measures: measures of the heads of a model, from streams of kind head. */
#ifndef MODEL_MEASURES_H
#define MODEL_MEASURES_H

#include <stdbool.h>

#include "analysis/head-table.h"

/*
 * Adds the measures of the stream at path to t.  `force` allows binary data from a terminal.
 * Returns -1 as reader_open() and head_table_read(), and with EXIT_INPUT for a stream that names
 * another model, or heads that the model does not have.
 */
int model_measures_read(struct head_table *t, const char *path, const struct model *m, bool force,
			struct err *e) MUST_USE;

#endif
