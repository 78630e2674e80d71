/*
 * forest: a forest plot, as SVG: a row a comparison, in each panel a point with its interval, and a
 * diamond where somebody else's value is.  Right of 0 is better in every panel.
 */
#ifndef FOREST_H
#define FOREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum { FOREST_PANELS = 2 };

/* What is missing is NAN. */
struct forest_point { double value, low, high, other; };

struct forest_row {
	const char *label, *note;	/* above its points, and right of the panels */
	const char *color;		/* of note and points, "#222" */
	struct forest_point at[FOREST_PANELS];
};

struct forest_panel {
	const char *label;		/* of the axis, with its unit; NULL: the panel is not drawn */
	bool reversed;			/* less is better: the axis falls from left to right */
};

struct forest {
	const char *title;
	struct forest_panel panel[FOREST_PANELS];
	const struct forest_row *row;
	size_t n_rows;
};

/*
 * Axes hold all values, others and 0.  An interval may widen its axis to half as much again; what
 * is longer ends in an arrow at the edge.
 */
void forest_svg(struct buf *out, const struct forest *f);

#endif
