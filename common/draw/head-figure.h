/*
 * head-figure: measures of attention heads as a figure: for each measure, a grid of layers (rows)
 * and heads (columns) for each kind of attention.
 *
 * The color scale of a measure is fitted to its values.  The rank of each head among all heads of
 * the table, 1 for the greatest value, is printed in its cell.  Heads that the table does
 * not have are pruned: they are crossed out.
 */
#ifndef HEAD_FIGURE_H
#define HEAD_FIGURE_H

#include "analysis/head-table.h"
#include "draw/heat-map.h"

enum { HEAD_FIGURE_KINDS = 3, HEAD_FIGURE_MEASURES = 32 };	/* measures: maximum */

struct head_figure {
	struct axis layers[HEAD_FIGURE_KINDS], heads[HEAD_FIGURE_KINDS];
	char *measure[HEAD_FIGURE_MEASURES];
	struct panel panel[HEAD_FIGURE_MEASURES * HEAD_FIGURE_KINDS];	/* by measure */
	int n, kinds;			/* measures; kinds of attention that the table has */
};

/*
 * Makes the panels of the measures of a table, named by a list of shell patterns, separated by
 * commas; f must be released in any case.  `name` is that of the table in messages.  Returns -1
 * with EXIT_USAGE if a pattern matches no measure, or all of them match more than
 * HEAD_FIGURE_MEASURES; EXIT_INPUT for measures that are texts, and for a table without heads.
 */
int head_figure_make(struct head_figure *f, struct head_table *t, const char *measures,
		     const char *name, struct err *e) MUST_USE;
/*
 * Appends the figure as SVG.  Of `style`, the colors, numbers (print values instead of ranks), the
 * range, and `each` (a range for each panel) are used.  `title` is above the figure; with NULL
 * there is neither title nor caption.
 */
int head_figure_draw(const struct head_figure *f, const struct heat_map *style, const char *title,
		     struct buf *out, struct err *e) MUST_USE;
void head_figure_release(struct head_figure *f);

#endif
