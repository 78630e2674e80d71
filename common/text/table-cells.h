/* table-cells: numbers as cells of a table, with the digits that their measure is worth. */
#ifndef TABLE_CELLS_H
#define TABLE_CELLS_H

#include <stdbool.h>

#include "base/buf.h"
#include "text/grid.h"

/* Retained heads describe a system; more or fewer of them are neither better nor worse. */
bool measure_of_count(const char *measure);

/* Is the measure of column i that of no column before it? */
bool is_first_of_measure(const struct grid_section *s, size_t i);

/* All write nothing for NAN.  Parameters are in millions. */
void cell_value(struct buf *out, const char *measure, double v);
void cell_signed(struct buf *out, const char *measure, double v);
void cell_mean(struct buf *out, const char *measure, double mean, double deviation);
/* The digits that papers print: two after the decimal point, or what a count has. */
void cell_paper(struct buf *out, const char *measure, double v);
void cell_paper_signed(struct buf *out, double v);

#endif
