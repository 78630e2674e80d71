/*
 * table-cells: values as cells of a table, with the number of digits that suits their measure, and
 * the names of measures.
 */
#ifndef TABLE_CELLS_H
#define TABLE_CELLS_H

#include <stdbool.h>

#include "base/buf.h"
#include "results/grid.h"

/*
 * Whether the measure is a count that describes a system and is neither better nor worse when it is
 * higher: numbers of retained heads and of fractional gates.
 */
bool measure_of_count(const char *measure);

/*
 * Whether higher or lower values of the measure are better.  Counts, parameters, epochs,
 * strengths and reports of attention variants (dev.*, except dev.nll) are neither.
 */
bool measure_is_ranked(const char *measure);

/*
 * The name of a measure for readers: "test NLL" for "test.nll".  Other measures are
 * returned unchanged.
 */
const char *measure_label(const char *measure);

/* Whether no column before column i has the same measure. */
bool is_first_of_measure(const struct grid_section *s, size_t i);

/*
 * Append a value, a value with its sign, and "mean ± deviation" (the mean alone if deviation is
 * NAN). Nothing is appended for NAN.  Parameters are in millions.
 */
void cell_value(struct buf *out, const char *measure, double v);
void cell_signed(struct buf *out, const char *measure, double v);
void cell_mean(struct buf *out, const char *measure, double mean, double deviation);
/* A difference with its interval: "-0.055 [-0.067, -0.043]". */
void cell_interval(struct buf *out, const char *measure, const struct difference *d);

/*
 * The same for numbers that a paper reports: two digits after the decimal point, except for
 * counts.
 */
void cell_paper(struct buf *out, const char *measure, double v);
void cell_paper_signed(struct buf *out, double v);

#endif
