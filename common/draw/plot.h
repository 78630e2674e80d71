/*
 * plot: lines over a common horizontal axis, as SVG: panels with lines, bands and levels.
 *
 * A line's name is next to it, where fewest others are, in the line's color; a series of the same
 * name has the same color in all panels.
 */
#ifndef PLOT_H
#define PLOT_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/input.h"

/* Finite; low and high are NAN where there is no spread. */
struct plot_point { double x, y, low, high; };

enum plot_kind {
	PLOT_LINE,		/* from point to point, with a bar from low to high */
	PLOT_BAND,		/* filled from low to high, with a dashed line at y */
	PLOT_LEVEL		/* a horizontal line at the y of its first point */
};

struct plot_series {
	char *name;
	enum plot_kind kind;
	struct plot_point *point;
	size_t n, room;
};

struct plot_panel {
	char *label;			/* of the vertical axis */
	struct plot_series *series;
	size_t n, room;
};

struct plot {
	const char *title, *x_label;	/* the caller's */
	struct plot_panel *panel;
	size_t n, room;
};

/*
 * Reads tab-separated values: a first line "panel series kind x y low high", then a line a point;
 * kind is line, band or level, "-" a number that is not there.  Panels and series are in the order
 * in which they first come, points in that of their lines.  -1 and EXIT_INPUT, naming the line.
 */
int plot_read(struct plot *p, struct input *in, struct err *e) MUST_USE;
void plot_release(struct plot *p);

/* Of one point at least.  Two panels a row; vertical axes hold all lines, bands and levels. */
void plot_svg(struct buf *out, const struct plot *p);

#endif
