/* forest-axis: draws the axes and the points of the forest plots of forest.h. */
#ifndef FOREST_AXIS_H
#define FOREST_AXIS_H

#include "draw/forest.h"

#define FOREST_INK "#222"
#define FOREST_SOFT "#667"

/* The scale of a panel: values from `low` to `high` are drawn over its width. */
struct forest_axis {
	double left, width;		/* left end and width of the panel, in pixels */
	double low, high, step;		/* values at the ends; distance of ticks, as a value */
	const struct forest_panel *panel;
};

/*
 * Returns the scale of panel number `panel`, from 0, of block `b`.  The panel begins at pixel
 * `left` and is `width` pixels wide.
 */
struct forest_axis forest_axis_of(const struct forest_block *b, int panel, double left,
				  double width);

enum { FOREST_HEAD = 50, FOREST_FOOT = 36 };	/* heights of the axes, in pixels */

/*
 * The first function draws the axis above the rows, with its lower end at pixel `y`.  The second
 * one draws the axis below the rows, with its upper end at pixel `y`.
 */
void forest_head(struct buf *out, const struct forest_axis *a, double y);
void forest_foot(struct buf *out, const struct forest_axis *a, double y);
/* Draws a vertical line at each tick, from pixel `top` to pixel `bottom`. */
void forest_lines(struct buf *out, const struct forest_axis *a, double top, double bottom);

/*
 * Draws a point with its interval, with the point's center at the vertical pixel `y`.  `kind` is
 * the index of its kind in forest.kind, which chooses its shape and, if `color` is NULL, its color.
 */
void forest_point_at(struct buf *out, const struct forest_axis *a, const struct forest_point *p,
		     int kind, const char *color, double y);
/* Draws the shape of a kind of points at pixel (`x`, `y`), for a legend. */
void forest_shape(struct buf *out, int kind, const char *color, double x, double y);

#endif
