/*
 * heat-grid: computes where the panels of a heat map are drawn.  Only the files that implement
 * heat-map.h use it.
 */
#ifndef HEAT_GRID_H
#define HEAT_GRID_H

#include "draw/heat-map.h"

/* Distances around the figure, between panels, and between a label and the cells, in pixels. */
extern const double heat_margin, heat_gap, heat_label_gap;
extern const double heat_title_size, heat_caption_size, heat_panel_size;	/* font sizes, in
										 * pixels */
extern const double heat_max_label;	/* maximum width of a label, in em */

/*
 * Panels are arranged in a grid.  Each column of the grid is as wide as its widest panel, and each
 * row of the grid as high as its highest panel.  A panel has, from top to bottom, its title, its
 * column labels, and its cells with row labels at the left.  All lengths are in pixels.
 */
struct heat_grid {
	const struct heat_map *h;
	int across, down;		/* number of columns and of rows of the grid */
	double cell, width, font;	/* height of a cell; width of a cell; font size of labels */
	bool upright;			/* column labels fit without rotation */
	double head;			/* height of title and caption, with the margin */
	/* [across] widths, and [down] heights: of titles and labels, and of cells. */
	struct heat_track { double labels, cells; } *column, *row;
	double title;			/* height of the title of a panel */
	char **titles;			/* [panels] titles, which include the range if h->each */
};

/* Overwrites *g.  `h` must outlive `g`. */
void heat_grid_init(struct heat_grid *g, const struct heat_map *h);
void heat_grid_release(struct heat_grid *g);
/* The size of all panels together, in pixels. */
double heat_grid_width(const struct heat_grid *g);
double heat_grid_height(const struct heat_grid *g);
/*
 * Whether panel `p` has row labels.  Row labels are left out if the panel at its left has the same
 * axis of rows.
 */
bool heat_grid_labels_rows(const struct heat_grid *g, int p);
/*
 * The heat map whose color scale panel `p` uses: *h, or if h->each is true, a heat map of this
 * panel alone.
 */
struct heat_map heat_grid_scale(const struct heat_map *h, int p);
/*
 * Stores the text of cell number `i` of the panel `m`: its value, if h->numbers is true, and its
 * mark.  If h->numbers is false and the cell has no mark, this is its rank.  `h` is the result of
 * heat_grid_scale(), whose range decides the number of digits.  The text is cut to `n` - 1 bytes
 * and ends with a NUL.
 */
void heat_grid_cell(const struct heat_map *h, const struct panel *m, int i, char *text, size_t n);

#endif
