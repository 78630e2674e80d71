/*
 * heat-map: matrices as a figure: colored cells, labels along both sides, and a color scale.
 */
#ifndef HEAT_MAP_H
#define HEAT_MAP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "draw/colour.h"
#include "draw/panel.h"

enum { HEAT_MAP_CELLS = 400000 };	/* maximum of a figure; viewers fail on larger ones */

struct heat_map {
	const struct panel *panel;	/* [n], arranged in a grid of suitable width */
	int n;
	const char *title, *caption;	/* above the panels; or NULL */
	const char *unit;		/* of the values, above the color scale; or NULL */
	enum colors colors;
	bool numbers;			/* print values in the cells */
	bool each;			/* each panel has its own range, printed in its title */
	int across;			/* panels in a row; 0: as many as give a suitable width */
	bool fit;			/* the range need not begin or end at 0 */
	double low, high;		/* range of the scale; if low >= high, heat_map_range() sets
					 * it */
	bool whole;			/* all values are integers; set by heat_map_draw() */
};

/*
 * Sets low and high to round numbers around all values.  low is 0 if no value is negative, high is
 * 0 if none is positive, and 1 if all are 0, except with fit.  With COLORS_DIVERGING the range is
 * symmetric around 0.
 */
void heat_map_range(struct heat_map *h);

struct heat_map_size { double width, height; };		/* of the figure, in pixels */

/*
 * Appends an SVG document to out.  Each cell is a <rect>, row by row, in the <g> of its panel.
 * Returns -1 with EXIT_INPUT if there are too many cells.
 */
int heat_map_draw(const struct heat_map *h, struct buf *out, struct heat_map_size *size,
		  struct err *e) MUST_USE;
/*
 * The same for n heat maps in one figure, one below the other, each with its own scale and title.
 * `title` and `caption` are above and below all of them; NULL or "": none.
 */
int heat_map_stack(const struct heat_map *h, int n, const char *title, const char *caption,
		   struct buf *out, struct heat_map_size *size, struct err *e) MUST_USE;

#endif
