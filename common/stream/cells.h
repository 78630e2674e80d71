/* cells: a line of tab-separated values, cell by cell. */
#ifndef CELLS_H
#define CELLS_H

#include <stdbool.h>

#include "stream/stream.h"

/* The next cell of a line, which is taken off rest; false after the last. */
bool cell_next(struct str *rest, struct str *cell);

#endif
