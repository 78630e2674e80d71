/*
 * forest: a forest plot as SVG.  Each row is a comparison; each panel shows a point with its
 * confidence interval, a diamond for the value of another source, and a short line for a margin.
 * Values to the right of 0 are better in every panel.
 */
#ifndef FOREST_H
#define FOREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum { FOREST_PANELS = 2 };

/* Missing values are NAN. */
struct forest_point { double value, low, high, other, margin; };

struct forest_row {
	const char *label, *note;	/* label: above the points; note: right of the panels */
	const char *color;		/* of note and points, such as "#222" */
	struct forest_point at[FOREST_PANELS];
};

struct forest_panel {
	const char *label;		/* of the axis, with its unit; NULL omits the panel */
	bool reversed;			/* lower is better: the axis falls from left to right */
};

struct forest {
	const char *title;
	const char *none;		/* the text of a drawing without rows */
	struct forest_panel panel[FOREST_PANELS];
	const struct forest_row *row;
	size_t n_rows;
};

/*
 * Appends the drawing.  An axis includes 0 and all values, others and margins.  Intervals widen
 * it by at most half; longer ones end in an arrow at its edge.
 */
void forest_svg(struct buf *out, const struct forest *f);

#endif
