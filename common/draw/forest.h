/*
 * forest: forest plots as SVG: rows of points with confidence intervals.
 *
 * A row has a label, its points in one or more panels, and a note.  Each panel has its own axis,
 * which is drawn above and below the rows.  In every panel, values to the right of 0 are better, or
 * what the panel says.  A point may be accompanied by a diamond, the value that another source
 * reports, and by a short line at the margin within which systems count as equal.  Labels, panels
 * and notes have separate columns, so that lines never cross texts.  In a narrow drawing, for
 * phones, the panels of a block are drawn one below another, and labels and notes above the points
 * of their row.
 *
 * A drawing consists of blocks of rows, one below another; each block has its own axes.  Browsers
 * show the values of a row as text when the pointer is on the row.
 */
#ifndef FOREST_H
#define FOREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * The maximum number of panels of a block, and of kinds of points; the widths of a drawing and of a
 * narrow drawing, in pixels.
 */
enum { FOREST_PANELS = 3, FOREST_POINTS = 3, FOREST_WIDE = 940, FOREST_NARROW = 358 };

/*
 * A point: its value, its confidence interval from `low` to `high`, the value of another source,
 * and the margin.  Missing values are NAN.
 */
struct forest_point { double value, low, high, other, margin; };

struct forest_row {
	const char *heading;		/* above the row, or NULL */
	const char *label;
	const char *note;		/* may be "" */
	const char *color;		/* color of the note and, without kinds, of the points */
	const char *title;		/* all values as text, shown at the pointer; or NULL */
	const char *target;		/* id of the element of the page to which the row links; or
					 * NULL */
	/* The point at[panel][kind] of each panel and kind; without kinds, at[panel][0]. */
	struct forest_point at[FOREST_PANELS][FOREST_POINTS];
};

struct forest_panel {
	const char *label;		/* label of the axis, with its unit; NULL: the block does
					 * not have this panel */
	const char *zero;		/* label of the line at 0 */
	const char *worse, *better;	/* what values to the left and right of 0 mean; NULL:
					 * "worse", "better" */
	bool reversed;			/* lower is better: the axis falls from left to right */
};

struct forest_block {
	struct forest_panel panel[FOREST_PANELS];
	const struct forest_row *row;	/* [n_rows] */
	size_t n_rows;
	bool shared;			/* all panels have the same scale */
};

struct forest {
	const char *title;		/* read by screen readers */
	const char *none;		/* text of a drawing without rows */
	/*
	 * Names of the kinds of points, for the legend.  Each kind has a shape and a color.  The
	 * last name is followed by NULL unless there are FOREST_POINTS kinds.  kind[0] NULL: no
	 * kinds, one point for each row and panel.
	 */
	const char *kind[FOREST_POINTS];
	const struct forest_block *block;	/* [n_blocks] */
	size_t n_blocks;
	bool narrow;
};

/* A point without values: all members are NAN. */
extern const struct forest_point forest_no_point;

/*
 * Appends the drawing.  An axis covers 0, and the members value, other and margin of each point.
 * Confidence intervals extend the axis to at most 1.5 times the largest magnitude of these, or so
 * far that one interval fits; an interval that still does not fit ends in an arrow at the edge.
 */
void forest_svg(struct buf *out, const struct forest *f);

#endif
