/*
 * plot-labels: finds places for the labels of the lines in a panel of a plot (plot.h).
 *
 * Each label gets the best free place: after the end of its line, or above or below one of its
 * points, away from other lines.  If there is no such place, the label is added to the legend in
 * the margin, after a short sample of the line.  Labels are never shortened.
 */
#ifndef PLOT_LABELS_H
#define PLOT_LABELS_H

#include <stdbool.h>
#include <stddef.h>

/* A line, in pixels; y counts downward, points are ordered from left to right. */
struct plot_track {
	const char *name;
	struct plot_spot {
		double x, y;
		double top, bottom;	/* ends of its error bar; NAN if there is none */
	} *spot;
	size_t n;
	double mark;			/* half of the height of the markers of its points; 0: no
					 * markers */
	/* Set by plot_labels_place(): */
	double x, y;			/* where the label is; y is that of its baseline */
	double width;			/* width of the label */
	bool margin;			/* true: the label begins at x, to the right of the panel;
					 * false: it is centered at x */
	bool legend;			/* the label is in the legend, after a sample of PLOT_SAMPLE
					 * pixels */
};

struct plot_box { double left, top, right, bottom; };

enum { PLOT_LABEL_FONT = 12, PLOT_LABEL_GAP = 8, PLOT_SAMPLE = 22 };

/*
 * Sets the places of the labels of the `n` lines of a panel.  `panel` is the area of the panel, in
 * pixels, and `margin` the width to its right for labels.  Empty names get no place.  Returns false
 * if the margin has no room for the legend; those labels have no useful place.
 */
bool plot_labels_place(struct plot_track *track, size_t n, const struct plot_box *panel,
		       double margin);

#endif
