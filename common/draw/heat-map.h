/*
 * heat-map: draws matrices as a figure with colored cells, labels of rows and columns, and a color
 * scale.
 */
#ifndef HEAT_MAP_H
#define HEAT_MAP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "draw/colour.h"
#include "draw/panel.h"

enum { HEAT_MAP_CELLS = 400000 };	/* maximum of a figure; viewers fail on larger figures */

struct heat_map {
	const struct panel *panel;	/* [n] the matrices (panel.h), arranged in a grid */
	int n;
	const char *title, *caption;	/* drawn above the panels; or NULL */
	const char *unit;		/* of the values, drawn above the color scale; or NULL */
	enum colors colors;
	bool numbers;			/* print values in the cells */
	bool each;			/* each panel has its own range, which is printed in its
					 * title */
	int across;			/* number of panels in a row of the grid; 0: chosen for a
					 * suitable width */
	bool fit;			/* the range need not include 0 */
	double low, high;		/* range of the color scale; if low >= high,
					 * heat_map_range() sets both */
	bool whole;			/* all values are integers; set by heat_map_draw() */
};

/*
 * Sets h->low and h->high to round numbers, so that all values, up to rounding, are in the range.
 * Unless h->fit is true, h->low is 0 if no value is negative, and h->high is 0 if no value is
 * positive; if all values are 0, the range is 0 to 1.  With COLORS_DIVERGING, the range is
 * symmetric around 0.
 */
void heat_map_range(struct heat_map *h);

struct heat_map_size { double width, height; };		/* of the figure, in pixels */

/*
 * Appends an SVG document to `out`, and sets *size.  Each panel is a <g> element that has a <rect>
 * for each cell, row by row.  Returns -1 with EXIT_INPUT if there are more than HEAT_MAP_CELLS
 * cells.
 */
int heat_map_draw(const struct heat_map *h, struct buf *out, struct heat_map_size *size,
		  struct err *e) MUST_USE;
/*
 * Like heat_map_draw(), for the `n` heat maps at `h`, which are drawn one below another, each with
 * its own color scale and title.  `title` is drawn above all heat maps, and `caption` below them;
 * NULL or "": none.
 */
int heat_map_stack(const struct heat_map *h, int n, const char *title, const char *caption,
		   struct buf *out, struct heat_map_size *size, struct err *e) MUST_USE;

#endif
