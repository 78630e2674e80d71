/*
 * figure: figures of attention, which have one or more panels, that is, matrices with labels
 * (panel.h).
 *
 * Panels come from a model that has processed a sentence (look.h), or from tables of values.  A
 * site is an attention layer of the model.  The figure_add functions return -1 with EXIT_USAGE if
 * the figure would have more than FIGURE_PANELS panels, or if a list names heads or sites that the
 * model does not have.
 */
#ifndef FIGURE_H
#define FIGURE_H

#include <stdbool.h>

#include "draw/head-figure.h"
#include "draw/heat-map.h"
#include "draw/look.h"

enum { FIGURE_PANELS = 256 };		/* maximum of a figure */

/*
 * The kinds of figures: attention weights, the importance of each head for each query, tables, and
 * measures of heads; from FIGURE_PICTURES on, the pictures that attention variants provide
 * (attention/attention-picture.h).
 */
enum {
	FIGURE_WEIGHTS, FIGURE_IMPORTANCE, FIGURE_TABLE, FIGURE_HEADS, FIGURE_PICTURES,
	FIGURE_KINDS = 32
};
/* Sets names[kind] to the name of each kind, and the element after the last one to NULL. */
void figure_list(const char *names[FIGURE_KINDS + 1]);
/*
 * Returns the title, caption and other settings of a kind; NULL after the last kind.  The member
 * draw is NULL for kinds below FIGURE_PICTURES.
 */
const struct attention_picture *figure_picture(int kind);

struct figure {
	/* Set by the caller: */
	int kind;
	const char *sites;		/* lists of sites and heads for figure_add_model(); `sites`
					 * may be NULL: the default */
	const char *heads;

	struct panel panel[FIGURE_PANELS];
	int n;
	char *title, *caption;		/* set by figure_add_model(), else NULL */
	const char *unit;		/* printed above the color scale; or NULL */
	struct look_labels labels;	/* labels of panels of variants' pictures */
	struct figure_table *table;	/* private: the axes of tables */
	/* Set by figure-run.h: */
	struct look look;
	struct head_figure *of_heads;	/* in place of panels; or NULL */
};

/*
 * Adds the panels of f->kind for the model of `l`, which has processed a sentence (look_at()). `id`
 * is the id of the sentence, for titles; NULL if the kind needs no sentence.
 *
 * f->sites is a list of names of sites (attention/attention-heads.h), separated by blanks, commas,
 * semicolons or slashes.  The default is enc.1.self, or without a model the first site of the
 * stream, and for FIGURE_IMPORTANCE all sites at which a variant weights heads.  If the kind draws
 * single heads, the list may also name heads, as in enc-self.1:2,4; f->heads must then be "all".
 * Otherwise, f->heads chooses the heads at all sites.  It is a list of items separated by commas.
 * An item is a head, a range of heads, "mean" (the mean of all heads), "weighted" (the mean
 * weighted by the importance of heads, look_importance()), or "all".
 */
int figure_add_model(struct figure *f, struct look *l, const char *id, struct err *e) MUST_USE;

/*
 * Adds the table in the file `path`, or in standard input if `path` is NULL.  With `words`,
 * combines subwords into words.  Returns -1 also as panel_read().
 */
int figure_add_table(struct figure *f, const char *path, bool words, struct err *e) MUST_USE;

/*
 * Sets the range of the color scale in `style` to the text "LOW,HIGH".  Returns -1 with EXIT_USAGE
 * if the text is no range.
 */
int figure_range(const char *text, struct heat_map *style, struct err *e) MUST_USE;

/* Appends the values of all panels as a table, in the format of panels_write() (panel.h). */
void figure_values(const struct figure *f, struct buf *out);
/*
 * Appends the figure as SVG.  Of `style`, the colors, numbers, range and `each` are used; unless
 * NULL, its title and unit replace those of the figure.  With `bare`, the figure has no title and
 * no caption.  Returns -1 as heat_map_draw().
 */
int figure_draw(const struct figure *f, const struct heat_map *style, bool bare, struct buf *out,
		struct err *e) MUST_USE;

void figure_release(struct figure *f);

#endif
