/*
 * plot: line plots as SVG: panels with lines, bands and levels over a common horizontal axis.
 *
 * A line is labeled in its color, at a place far from other lines.  A series has the same color in
 * all panels.  Points of another source are open diamonds in the color of the line before them.
 */
#ifndef PLOT_H
#define PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/input.h"
#include "stream/stream.h"

/* x and y are finite; `low` and `high` are NAN without error bars. */
struct plot_point { double x, y, low, high; };

enum plot_kind {
	PLOT_LINE,		/* from point to point, with error bars from low to high */
	PLOT_BAND,		/* filled from low to high, with a dashed line at y */
	PLOT_LEVEL,		/* a horizontal line at the y of its first point */
	PLOT_POINTS		/* open diamonds, such as the values that a paper reports */
};

struct plot_series {
	char *name;
	enum plot_kind kind;
	int number;			/* of a line: index of its name over all panels, from 0;
					 * it chooses the color */
	struct plot_point *point;	/* [n] */
	size_t n, room;
};

struct plot_panel {
	char *label;			/* of the vertical axis */
	struct plot_series *series;	/* [n] */
	size_t n, room;
};

struct plot {
	const char *title, *x_label;	/* owned by the caller */
	bool log_x;			/* set by plot_use_log() */
	double width;			/* of the drawing, in pixels; 0: 400 for each panel */
	struct plot_panel *panel;	/* [n] */
	size_t n, room;
};

/*
 * Reads tab-separated values: a first line "panel series kind x y low high", then a line for each
 * point.  kind is line, band, level or points; "-" is a missing value.  Panels and series are drawn
 * in order of first appearance, points in the order of the file.  Returns -1 with EXIT_INPUT,
 * naming the line.
 */
int plot_read(struct plot *p, struct input *input, struct err *e) MUST_USE;
/*
 * Adds a line of this name to the panel of each of n_y fields: a point for each record that has
 * both the field and x.  Returns -1 with EXIT_INPUT if the stream does not declare a field, if a
 * value is not a number, or if a field has no point.
 */
int plot_read_fields(struct plot *p, struct reader *reader, const char *series, const char *x,
		     char *const *y, size_t n_y, struct err *e) MUST_USE;
/*
 * Makes the x axis logarithmic.  Returns -1 with EXIT_INPUT, naming the value, if an x is not
 * positive.
 */
int plot_use_log(struct plot *p, struct err *e) MUST_USE;
/*
 * Keeps the panels in a list of labels, separated by commas.  Returns -1 with EXIT_USAGE for
 * others.
 */
int plot_select(struct plot *p, const char *labels, struct err *e) MUST_USE;
void plot_release(struct plot *p);

/*
 * Appends the drawing of a plot with at least one point.  Two panels are in a row.  If p->width is
 * given, as many panels are in a row as fit into it, and one legend is for all of them.  Vertical
 * axes include all lines, bands and levels.
 */
void plot_svg(struct buf *out, const struct plot *p);

#endif
