/*
 * plot-legend: names of series with samples of how they are drawn, in columns.  Long names are
 * broken into lines.
 */
#ifndef PLOT_LEGEND_H
#define PLOT_LEGEND_H

#include <stddef.h>

#include "base/buf.h"
#include "draw/plot.h"

/* Entries from the top of the first column to the bottom of the last one. */
struct plot_legend {
	struct plot_entry {
		const struct plot_panel *panel;		/* that of the series */
		const struct plot_series *series;
	} *entry;			/* [n] */
	size_t n, room;
};

/* Adds an entry unless there is one with the same kind, name and color. */
void plot_legend_add(struct plot_legend *l, const struct plot_panel *panel,
		     const struct plot_series *s);
void plot_legend_release(struct plot_legend *l);
/*
 * Draws the legend with its upper left corner at (`left`, `top`).  It has as many columns as have
 * room in `width` pixels.  Returns its height, 0 without entries.
 */
double plot_legend_draw(struct buf *out, const struct plot_legend *l, double left, double top,
			double width);
/* Draws an entry without name at pixel (`x`, `y`), its left end in the middle of the height. */
void plot_legend_sample(struct buf *out, const struct plot_panel *panel,
			const struct plot_series *s, double x, double y);

enum { PLOT_MAX_DOTS = 60 };		/* lines with more points have no marks */

#endif
