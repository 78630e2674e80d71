/*
 * head-figure: measures of attention heads as a figure.  For each measure and each kind of
 * attention, the figure has a panel with a row for each layer and a column for each head.
 *
 * The color scale of a measure is fitted to its values.  The cell of a head shows the head's rank
 * by this measure among all heads of the table; the head with the highest value has rank 1.  Heads
 * that are missing in the table count as pruned, and are crossed out.
 */
#ifndef HEAD_FIGURE_H
#define HEAD_FIGURE_H

#include "analysis/head-table.h"
#include "draw/heat-map.h"

enum { HEAD_FIGURE_KINDS = 3, HEAD_FIGURE_MEASURES = 32 };	/* kinds of attention; maximum of
								 * measures */

struct head_figure {
	struct axis layers[HEAD_FIGURE_KINDS], heads[HEAD_FIGURE_KINDS];
	char *measure[HEAD_FIGURE_MEASURES];
	struct panel panel[HEAD_FIGURE_MEASURES * HEAD_FIGURE_KINDS];	/* first the panels of the
									 * first measure, by kind,
									 * then those of the
									 * second */
	int n, kinds;			/* number of measures; number of kinds of attention in the
					 * table */
};

/*
 * Overwrites *f, and makes the panels of measures of the table `t`, whose other columns it removes.
 * `measures` is a list of shell patterns, separated by commas, of the names of the measures.
 * `name` is the name of the table, for messages.  Returns -1 with EXIT_USAGE if `measures` is NULL,
 * if a pattern matches no measure, or if the patterns match more than HEAD_FIGURE_MEASURES.
 * Returns -1 with EXIT_INPUT if a measure has text, or the table has no heads.  Release `f` also
 * after an error.
 */
int head_figure_make(struct head_figure *f, struct head_table *t, const char *measures,
		     const char *name, struct err *e) MUST_USE;
/*
 * Appends the figure as SVG.  Of `style` (heat-map.h), these members are used: colors (for a
 * measure with values of both signs, COLORS_DIVERGING replaces COLORS_BLUE), numbers (print values
 * in place of ranks), low and high, and each (a color range for each panel).  `title` is drawn
 * above the figure; NULL: neither title nor caption.  Returns -1 as heat_map_stack().
 */
int head_figure_draw(const struct head_figure *f, const struct heat_map *style, const char *title,
		     struct buf *out, struct err *e) MUST_USE;
void head_figure_release(struct head_figure *f);

#endif
