/*
 * plot-labels: places for the labels of lines.
 *
 * Each label gets the best free place: after the end of its line, or above or below one of its
 * points, away from other lines.  If there is no such place, it is added to the legend in the
 * margin, after a sample of its line.
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
		double top, bottom;	/* of its error bar; NAN if there is none */
	} *spot;
	size_t n;
	double mark;			/* height of its point markers above the line; 0: none */
	/* The result: */
	double x, y;			/* of the label, on its baseline */
	double width;			/* width of the label, in pixels */
	bool margin;			/* the label starts at x, to the right of the panel;
					 * otherwise it is centered at x */
	bool legend;			/* in the legend, after a sample of PLOT_SAMPLE pixels */
};

struct plot_box { double left, top, right, bottom; };

enum { PLOT_LABEL_FONT = 12, PLOT_LABEL_GAP = 8, PLOT_SAMPLE = 22 };

/*
 * Sets the results of n tracks.  Labels in the margin begin PLOT_LABEL_GAP pixels to the right of
 * `panel`.
 */
void plot_labels_place(struct plot_track *track, size_t n, const struct plot_box *panel);

#endif
