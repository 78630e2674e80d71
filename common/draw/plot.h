/*
 * plot: line plots as SVG.  A plot has one or more panels, each with its own vertical axis; all
 * have the same quantity on the horizontal axis.
 *
 * A line is labeled in its color, at a place far from other lines, or in a legend.  Lines of the
 * same name have the same color in all panels.  PLOT_POINTS, such as values of another source, are
 * drawn as open diamonds in the color of the preceding line.
 */
#ifndef PLOT_H
#define PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/input.h"
#include "stream/stream.h"

/*
 * `x` and `y` must be finite, but `x` of a PLOT_LEVEL may be NAN.  `low` and `high` are the ends of
 * the error bar, NAN if there is none.
 */
struct plot_point { double x, y, low, high; };

enum plot_kind {
	PLOT_LINE,		/* a line from point to point, with error bars */
	PLOT_BAND,		/* an area filled from `low` to `high`, with a dashed line at `y` */
	PLOT_LEVEL,		/* a horizontal line at `y` of its first point */
	PLOT_POINTS		/* open diamonds, such as the values that a paper reports */
};

struct plot_series {
	char *name;
	enum plot_kind kind;
	int number;			/* chooses color, dashes and marks; see plot-style.h */
	struct plot_point *point;	/* [n] */
	size_t n, room;
};

struct plot_panel {
	char *label;			/* label of the vertical axis */
	struct plot_series *series;	/* [n] */
	size_t n, room;
};

struct plot {
	const char *title, *x_label;	/* owned by the caller */
	bool log_x;			/* logarithmic; set by plot_use_log() */
	double width;			/* width of the drawing, in pixels; 0: 400 for each panel in
					 * a row */
	struct plot_panel *panel;	/* [n] */
	size_t n, room;
};

/*
 * Adds the points in a file of tab-separated values.  The first line has the names of the columns,
 * "panel series kind x y low high"; each other line has a point.  The kind is line, band, level or
 * points; "-" is a missing value.  Panels and series are drawn in order of first appearance, points
 * in the order of the file.  Returns -1 with EXIT_INPUT for a malformed line, which the message
 * names, or if there are no points other than levels.
 */
int plot_read(struct plot *p, struct input *input, struct err *e) MUST_USE;
/*
 * Adds lines from the records of a stream.  Each of the `n_y` fields in `y` has a panel, to which a
 * line named `series` is added; the line has a point for each record that has both this field and
 * the field `x`.  Returns -1 with EXIT_INPUT if the stream does not declare a field, if a value is
 * not a number, or if a line would have no points.
 */
int plot_read_fields(struct plot *p, struct reader *reader, const char *series, const char *x,
		     char *const *y, size_t n_y, struct err *e) MUST_USE;
/*
 * Makes the horizontal axis logarithmic.  Call it after all points have been read.  Returns -1 with
 * EXIT_INPUT if `x` of a point is not positive.
 */
int plot_use_log(struct plot *p, struct err *e) MUST_USE;
/*
 * Removes all panels except those whose labels are in the list `labels`, separated by commas, or
 * the one whose label is `labels`.  Labels may have commas, too.  Returns -1 with EXIT_USAGE if a
 * label is not that of a panel.
 */
int plot_select(struct plot *p, const char *labels, struct err *e) MUST_USE;
void plot_release(struct plot *p);

/*
 * Appends the drawing of a plot, which must have at least one point.  Panels are drawn in rows of
 * two.  Names that have no room next to their lines are in legends to the right of the panels, or
 * below all panels if there is not enough room to the right of one.  If p->width is not 0, each row
 * has as many panels as fit into this width, and all panels have one legend.  The axes of a panel
 * cover its points and error bars.
 */
void plot_svg(struct buf *out, const struct plot *p);

#endif
