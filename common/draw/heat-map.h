/*
 * heat-map: matrices as a picture: cells in color, labels along both sides, a scale beside.
 */
#ifndef HEAT_MAP_H
#define HEAT_MAP_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "draw/colour.h"
#include "draw/panel.h"

enum { HEAT_MAP_CELLS = 400000 };	/* of a picture; more can be neither seen nor opened */

struct heat_map {
	const struct panel *panel;	/* [n], side by side in as many lines as look best */
	int n;
	const char *title, *caption;	/* over all; what rows and columns are; or NULL */
	const char *unit;		/* of the numbers, over the scale; or NULL */
	enum colors colors;
	bool numbers;			/* in the cells, too */
	bool each;			/* panel has a range of its own, which its title tells */
	double low, high;		/* of the scale; low >= high: chosen by heat_map_range() */
	bool whole;			/* all numbers are, and have no decimals: set by
					 * heat_map_draw() */
};

/*
 * A range with round ends that holds all numbers: from 0 if none is negative, to 0 if none is
 * positive; the same on both sides of 0 where colors diverge.
 */
void heat_map_range(struct heat_map *h);

struct heat_map_size { double width, height; };		/* of the picture, in pixels */

/*
 * Adds an SVG of its own to out.  Each cell is one <rect>, row by row, in the <g> of its panel.
 * EXIT_INPUT if there are too many cells.
 */
int heat_map_draw(const struct heat_map *h, struct buf *out, struct heat_map_size *size,
		  struct err *e) MUST_USE;

#endif
