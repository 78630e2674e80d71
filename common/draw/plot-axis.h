/*
 * plot-axis: the axes of a panel of a line plot (plot.h): the range of values, the pixel of a
 * value, ticks and labels.
 */
#ifndef PLOT_AXIS_H
#define PLOT_AXIS_H

#include <stdbool.h>

#include "base/buf.h"
#include "draw/plot-labels.h"

/*
 * An axis.  `low` and `high` are the values at its ends, and `step` is the distance of its ticks.
 * If `log` is true, the axis is logarithmic, and these three are log10 of values.
 */
struct plot_axis {
	double low, high, step;
	bool log;
	double at_low, at_high;		/* the pixels of `low` and `high`; set by the caller */
	double left;			/* of a y axis: the pixels that it takes to the left of the
					 * panel, at least plot_axis_left(); set by the caller */
};

/*
 * plot_axis_begin() returns an axis that covers no values.  plot_axis_cover() extends the axis so
 * that it covers `value`; NAN is ignored.
 */
struct plot_axis plot_axis_begin(bool log);
void plot_axis_cover(struct plot_axis *a, double value);
/*
 * Sets a->step for an axis that will be `pixels` long.  With `round`, the axis is also extended so
 * that it begins and ends at a tick.  An axis of a single value is extended to both sides.  Call it
 * after all plot_axis_cover(), and before the caller sets a->at_low and a->at_high.
 */
void plot_axis_end(struct plot_axis *a, double pixels, bool round);

/* Returns the pixel of a value.  Also on a logarithmic axis, `value` is the value itself. */
double plot_axis_at(const struct plot_axis *a, double value);

/*
 * Returns the pixels that a y axis needs to the left of the panel: PLOT_AXIS_LEFT, or more for long
 * numbers.  Call it after plot_axis_end().
 */
double plot_axis_left(const struct plot_axis *y);

/*
 * Draws both axes of the panel `box` with their ticks and labels.  The y axis takes y->left pixels
 * to the left of the panel, and numbers of the x axis at most PLOT_AXIS_RIGHT to its right.
 * Labels that are longer than their axis are shortened.
 */
void plot_axes_draw(struct buf *out, const struct plot_box *box, const struct plot_axis *x,
		    const struct plot_axis *y, const char *x_label, const char *y_label);

/*
 * In pixels: the minimum width that the y axis takes, the minimum margin on the right, and the
 * height that the x axis takes.
 */
enum { PLOT_AXIS_LEFT = 64, PLOT_AXIS_RIGHT = 14, PLOT_AXIS_BELOW = 56 };

#endif
