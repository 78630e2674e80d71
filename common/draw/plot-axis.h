/*
 * plot-axis: the axes of a panel: which values they cover, where a value lies, ticks and labels.
 */
#ifndef PLOT_AXIS_H
#define PLOT_AXIS_H

#include <stdbool.h>

#include "base/buf.h"
#include "draw/plot-labels.h"

/* low, high and step are those of log10 of the values if the axis is logarithmic. */
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
 * Sets the distance of ticks for an axis of this many pixels; a is then complete but for at_low and
 * at_high.  `round`: the axis begins and ends at a tick.
 */
void plot_axis_end(struct plot_axis *a, double pixels, bool round);

/* The pixel of a value. */
double plot_axis_at(const struct plot_axis *a, double value);

/* Draws the axes of a panel with their ticks and, PLOT_AXIS_LEFT pixels left of it, y's label. */
void plot_axes_draw(struct buf *out, const struct plot_box *box, const struct plot_axis *x,
		    const struct plot_axis *y, const char *x_label, const char *y_label);

enum { PLOT_AXIS_LEFT = 64, PLOT_AXIS_BELOW = 56 };	/* the pixels that y and x take */

#endif
