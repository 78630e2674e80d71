/* heat-grid: where the panels of a heat map are; private functions of heat-map. */
#ifndef HEAT_GRID_H
#define HEAT_GRID_H

#include "draw/heat-map.h"

/* Pixels around the figure, between panels, and between a label and the cells. */
extern const double heat_margin, heat_gap, heat_label_gap;
extern const double heat_title_size, heat_caption_size, heat_panel_size;	/* of texts */
extern const double heat_max_label;	/* maximum width of a label, in em */

/*
 * Panels are arranged in a grid.  Each column of the grid is as wide as its widest panel, each row
 * of the grid as high as its highest panel.  A panel has, from above, its title, column labels and
 * cells.
 */
struct heat_grid {
	const struct heat_map *h;
	int across, down;
	double cell, width, font;	/* height and width of a cell; size of labels */
	bool upright;			/* column labels fit without rotation */
	double head;			/* height of title and caption, with the margin */
	double *left, *body;		/* [across]: width of labels, of cells */
	double *top, *depth;		/* [down]: height of title and labels, of cells */
	double title;			/* height of the title of a panel */
	char **titles;			/* [panels]: titles, with the range if h->each */
};

/* h must outlive the grid. */
void heat_grid_init(struct heat_grid *g, const struct heat_map *h);
void heat_grid_release(struct heat_grid *g);
/* The size of all panels together, in pixels. */
double heat_grid_width(const struct heat_grid *g);
double heat_grid_height(const struct heat_grid *g);
/* Whether panel p has row labels: adjacent panels with the same rows share them. */
bool heat_grid_labels_rows(const struct heat_grid *g, int p);
/* The heat map whose scale panel p uses: h or, with h->each, a heat map of this panel alone. */
struct heat_map heat_grid_scale(const struct heat_map *h, int p);
/*
 * The text of cell i of a panel: its value, if values are printed, and its mark.  h is the result
 * of heat_grid_scale(), which determines the number of digits.  The text is cut to n - 1 bytes and
 * ends with a NUL byte.
 */
void heat_grid_cell(const struct heat_map *h, const struct panel *m, int i, char *text, size_t n);

#endif
