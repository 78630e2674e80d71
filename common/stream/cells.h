/* cells: splits a line of tab-separated values. */
#ifndef CELLS_H
#define CELLS_H

#include <stdbool.h>

#include "stream/stream.h"

/*
 * Sets *cell to the next cell of a line, and *rest to the part of the line after this cell; both
 * point into the line.  At first, *rest is the whole line.  Returns false after the last cell.
 */
bool cell_next(struct str *rest, struct str *cell);

#endif
