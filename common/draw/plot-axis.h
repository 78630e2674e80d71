/*
 * plot-axis: the axes of a panel: which values they cover, where a value lies, ticks and labels.
 */
#ifndef PLOT_AXIS_H
#define PLOT_AXIS_H

#include <stdbool.h>

#include "base/buf.h"
#include "draw/plot-labels.h"

/*
 * An axis.  low and high are the values at its ends, and step is the distance of its ticks; on a
 * logarithmic axis, these are log10 of the values.
 */
struct plot_axis {
	double low, high, step;
	bool log;
	double at_low, at_high;		/* the pixels of low and high; set by the caller */
};

/*
 * plot_axis_begin() returns an axis that covers no values.  plot_axis_cover() extends it to a
 * value; NAN is ignored.
 */
struct plot_axis plot_axis_begin(bool log);
void plot_axis_cover(struct plot_axis *a, double value);
/*
 * Sets the distance of ticks for an axis of this many pixels; a is then complete except for at_low
 * and at_high.  `round`: the axis begins and ends at a tick.
 */
void plot_axis_end(struct plot_axis *a, double pixels, bool round);

/* The pixel of a value. */
double plot_axis_at(const struct plot_axis *a, double value);

/*
 * Draws the axes of a panel with their ticks and labels.  The label of the y axis is PLOT_AXIS_LEFT
 * pixels to the left of the panel.
 */
void plot_axes_draw(struct buf *out, const struct plot_box *box, const struct plot_axis *x,
		    const struct plot_axis *y, const char *x_label, const char *y_label);

enum { PLOT_AXIS_LEFT = 64, PLOT_AXIS_BELOW = 56 };	/* widths that the y axis takes, and heights
							 * that the x axis takes, in pixels */

#endif
