/* plot-marks: the shapes of points in plots. */
#ifndef PLOT_MARKS_H
#define PLOT_MARKS_H

#include "base/buf.h"
#include "draw/plot.h"

/* Filled shapes for points of lines, and an empty diamond for points without a line. */
enum plot_mark { PLOT_CIRCLE, PLOT_SQUARE, PLOT_TRIANGLE, PLOT_LINE_MARKS, PLOT_DIAMOND };

/* Half of the height of a diamond and of a filled shape, in pixels. */
enum { PLOT_DIAMOND_SIZE = 5, PLOT_DOT_SIZE = 3 };

/* Draws a mark whose center is at x and y, in pixels. */
void plot_mark(struct buf *out, enum plot_mark mark, const char *color, double x, double y);
/*
 * Begins a group that shows the values of a point under the pointer; "</g>" must follow.
 * p->low is NAN without an interval.
 */
void plot_mark_values(struct buf *out, const char *series, const struct plot_point *p);

#endif
