/* forest-axis: the axes and the points of forest.h. */
#ifndef FOREST_AXIS_H
#define FOREST_AXIS_H

#include "draw/forest.h"

#define FOREST_INK "#222"
#define FOREST_SOFT "#667"

/* The scale of a panel. */
struct forest_axis {
	double left, width;		/* of the panel, in pixels */
	double low, high, step;
	const struct forest_panel *panel;
};

/* The scale of a panel of b that begins at pixel `left` and is `width` pixels wide. */
struct forest_axis forest_axis_of(const struct forest_block *b, int panel, double left,
				  double width);

enum { FOREST_HEAD = 50, FOREST_FOOT = 36 };	/* heights of the axes, in pixels */

/* Draw the axis above the rows, whose lower end is at y, and the one below them, from y on. */
void forest_head(struct buf *out, const struct forest_axis *a, double y);
void forest_foot(struct buf *out, const struct forest_axis *a, double y);
/* Draws the vertical lines of the ticks from `top` to `bottom`. */
void forest_lines(struct buf *out, const struct forest_axis *a, double top, double bottom);

/* Draws a point at height y.  `kind` chooses its shape and, if `color` is NULL, its color. */
void forest_point_at(struct buf *out, const struct forest_axis *a, const struct forest_point *p,
		     int kind, const char *color, double y);
/* Draws the shape of a kind of points at x and y, for a legend. */
void forest_shape(struct buf *out, int kind, const char *color, double x, double y);

#endif
