/*
 * forest: rows of points with confidence intervals as SVG, such as a forest plot of claims.
 *
 * A row has a label, a note, and points in panels; each panel has its own axis, above and below its
 * rows.  Values to the right of 0 are better in every panel.  A point may have a diamond, the value
 * of another source, and a short line at the margin within which systems count as equal.  Labels,
 * panels and notes have columns of their own, so that lines never cross texts.  In a narrow
 * drawing, for phones, the panels of a block are below one another, and labels and notes are above
 * the points of their row.
 *
 * Blocks are below one another.  Browsers show the values of a row when the pointer is on it.
 */
#ifndef FOREST_H
#define FOREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum { FOREST_PANELS = 3, FOREST_POINTS = 3, FOREST_WIDE = 940, FOREST_NARROW = 358 };

/* Missing values are NAN. */
struct forest_point { double value, low, high, other, margin; };

struct forest_row {
	const char *heading;		/* above the row, or NULL */
	const char *label;
	const char *note;		/* may be "" */
	const char *color;		/* of note and points, unless there are kinds */
	const char *title;		/* all values as text, for the pointer; or NULL */
	const char *target;		/* fragment of a link in a page, or NULL */
	/* The points by panel and kind; without kinds, only at[panel][0]. */
	struct forest_point at[FOREST_PANELS][FOREST_POINTS];
};

struct forest_panel {
	const char *label;		/* of the axis, with its unit; NULL: no panel */
	const char *zero;		/* what the line at 0 means */
	bool reversed;			/* lower is better: the axis falls from left to right */
};

struct forest_block {
	struct forest_panel panel[FOREST_PANELS];
	const struct forest_row *row;	/* [n_rows] */
	size_t n_rows;
	bool shared;			/* all panels have the same scale */
};

struct forest {
	const char *title;		/* for screen readers */
	const char *none;		/* the text of a drawing without rows */
	/*
	 * Names of the kinds of points, each of which has a shape and a color, and is in the
	 * legend.  kind[0] NULL: a row has one point in each panel.
	 */
	const char *kind[FOREST_POINTS];
	const struct forest_block *block;	/* [n_blocks] */
	size_t n_blocks;
	bool narrow;
};

/* The point without values. */
extern const struct forest_point forest_no_point;

/*
 * Appends the drawing.  An axis includes 0, and the value, the other value and the margin of each
 * point.  Intervals widen it by at most half; longer ones end in an arrow at its edge.
 */
void forest_svg(struct buf *out, const struct forest *f);

#endif
