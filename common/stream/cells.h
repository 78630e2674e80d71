/* cells: splits a line of tab-separated values. */
#ifndef CELLS_H
#define CELLS_H

#include <stdbool.h>

#include "stream/stream.h"

/* Moves the next cell of a line from `rest` to `cell`; false after the last one. */
bool cell_next(struct str *rest, struct str *cell);

#endif
