/*
 * figure: the panels of a figure of attention, and the axes that they share.
 *
 * Panels come from a model that has read a sentence (look.h), or from tables of values (panel.h).
 * All functions return -1 with EXIT_USAGE if the figure has too many panels, or if a list names
 * heads or sites that the model does not have.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include <stdbool.h>

#include "draw/head-figure.h"
#include "draw/heat-map.h"
#include "draw/look.h"

enum { FIGURE_PANELS = 256 };		/* maximum */

/* The kinds of figures that need no variant; the pictures of all variants follow. */
enum {
	FIGURE_WEIGHTS, FIGURE_IMPORTANCE, FIGURE_TABLE, FIGURE_HEADS, FIGURE_PICTURES,
	FIGURE_KINDS = 32
};
/* Sets the names of all kinds; NULL follows the last. */
void figure_list(const char *names[FIGURE_KINDS + 1]);
/*
 * Title, caption and the other settings of a kind.  Their member draw is NULL if the kind is not a
 * picture of a variant.
 */
const struct attention_picture *figure_picture(int kind);

struct figure {
	/* Set by the caller: */
	int kind;
	const char *sites;		/* see figure_add_model(); NULL: the default */
	const char *heads;

	struct panel panel[FIGURE_PANELS];
	int n;
	char *title, *caption;		/* set by figure_add_model(), otherwise NULL */
	const char *unit;		/* name of the color scale, or NULL */
	struct look_labels labels;	/* the labels of pictures of variants */
	struct figure_table *table;	/* [n], of tables */
	/* Set by figure-run.h: */
	struct look look;
	struct head_figure *of_heads;	/* instead of panels, or NULL */
};

/*
 * Adds the panels of f->kind from the model of l, which has read the sentence with the id `id`, or
 * NULL if the kind needs no sentence.
 *
 * f->sites is a list of names of sites, separated by blanks, commas, semicolons or slashes.  The
 * default is enc.1.self, and for FIGURE_IMPORTANCE all sites with importance.  If the kind draws
 * single heads, it may also name heads, such as enc-self.1:2,4.  f->heads is a list for each site,
 * separated by commas, of ranges of heads, "mean", "weighted" and "all", which is the default.
 */
int figure_add_model(struct figure *f, struct look *l, const char *id, struct err *e) MUST_USE;

/*
 * Adds a table from a file, or from standard input if `path` is NULL.  With `words`, combines
 * subwords into words.  Returns -1 also as panel_read().
 */
int figure_add_table(struct figure *f, const char *path, bool words, struct err *e) MUST_USE;

/* Sets the range of the color scale to "LOW,HIGH"; -1 with EXIT_USAGE if the text is no range. */
int figure_range(const char *text, struct heat_map *style, struct err *e) MUST_USE;

/* Appends the values of all panels as the table of panels_write(). */
void figure_values(const struct figure *f, struct buf *out);
/*
 * Appends the figure as SVG.  `style` has the colors, numbers and range; its title and unit
 * override those of the figure.  `bare`: without title and caption.
 */
int figure_draw(const struct figure *f, const struct heat_map *style, bool bare, struct buf *out,
		struct err *e) MUST_USE;

void figure_release(struct figure *f);

#endif
