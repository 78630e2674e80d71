/*
 * plot-labels: where the names of lines go, so that they hide as little as can be.
 *
 * Each name in its turn gets the best place that is left: after the end of its line, or above or
 * below one of its points, where the line is apart from others.  Without such a place it goes to the
 * legend in the margin, after a sample of its line.
 */
#ifndef PLOT_LABELS_H
#define PLOT_LABELS_H

#include <stdbool.h>
#include <stddef.h>

/* In pixels, y falling; points from left to right. */
struct plot_track {
	const char *name;
	struct plot_spot { double x, y; } *spot;
	size_t n;
	/* The result: */
	double x, y;			/* of the name, on its base line */
	double width;			/* of the name */
	bool margin;			/* right of the panel, x its start; else x is its middle */
	bool legend;			/* ... after a sample of PLOT_SAMPLE pixels and a gap */
};

struct plot_box { double left, top, right, bottom; };

enum { PLOT_LABEL_FONT = 12, PLOT_LABEL_GAP = 8, PLOT_SAMPLE = 22 };

/* panel: where lines are; names beside it begin PLOT_LABEL_GAP pixels right of it. */
void plot_labels_place(struct plot_track *track, size_t n, const struct plot_box *panel);

#endif
