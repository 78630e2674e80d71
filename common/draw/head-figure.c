/* head-figure: measures of heads as a figure; see head-figure.h. */
#include "draw/head-figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* By enum site_where. */
static const char *const kind_titles[] = { "encoder", "decoder", "encoder-decoder" };

/* The ranks of the values of a column: [t->n], 1 for the greatest, 0 without one; to be freed. */
static int *
head_ranks(const struct head_table *t, const struct head_column *c)
{
	int *rank = xcalloc(t->n + 1, sizeof(*rank));

	for (size_t i = 0; i < t->n; i++) {
		const double x = head_table_get(c, i);

		rank[i] = !isnan(x);
		for (size_t j = 0; j < t->n && !isnan(x); j++)
			rank[i] += head_table_get(c, j) > x;
	}
	return rank;
}

static void
add_numbers(struct axis *a, int n)
{
	char text[16];

	for (int i = a->n + 1; i <= n; i++)
		axis_add(a, text, (size_t)snprintf(text, sizeof(text), "%d", i));
}

/* Labels of the layers and heads of each kind. */
static void
add_labels(struct head_figure *f, const struct head_table *t)
{
	int most = 0;

	for (size_t i = 0; i < t->n; i++) {
		add_numbers(&f->layers[t->row[i].where], t->row[i].layer);
		most = t->row[i].head > most ? t->row[i].head : most;
	}
	for (int k = 0; k < HEAD_FIGURE_KINDS; k++) {
		add_numbers(&f->heads[k], f->layers[k].n ? most : 0);
		f->kinds += f->layers[k].n > 0;
	}
}

static void
fill_panel(struct panel *p, const struct head_table *t, const struct head_column *c,
	   const int *rank, enum site_where where)
{
	const size_t cells = (size_t)p->rows->n * (size_t)p->columns->n;

	p->rank = xcalloc(cells + 1, sizeof(*p->rank));
	for (size_t i = 0; i < cells; i++) {
		p->x[i] = NAN;
		p->rank[i] = -1;
	}
	for (size_t i = 0; i < t->n; i++) {
		const struct head_row *r = &t->row[i];
		const int at = (r->layer - 1) * p->columns->n + r->head - 1;

		if (r->where != where)
			continue;
		p->x[at] = (float)head_table_get(c, i);
		p->rank[at] = rank[i];
	}
}

static void
add_measure(struct head_figure *f, const struct head_table *t, const struct head_column *c)
{
	struct panel *p = &f->panel[f->n * f->kinds];
	int *rank = head_ranks(t, c);

	f->measure[f->n++] = xstrdup(c->name);
	for (int k = 0; k < HEAD_FIGURE_KINDS; k++) {
		if (!f->layers[k].n)
			continue;
		panel_init(p, &f->layers[k], &f->heads[k]);
		p->title = xasprintf("%s, %s", c->name, kind_titles[k]);
		fill_panel(p++, t, c, rank, (enum site_where)k);
	}
	free(rank);
}

/* The names of the measures, for a hint. */
static void
hint_measures(const struct head_table *t, struct err *e)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < t->n_columns; i++)
		if (t->column[i].type != HEAD_STR)
			buf_printf(&names, "%s%s", names.n ? ", " : "", t->column[i].name);
	if (names.n)
		err_hint(e, "the measures are %s", names.data);
	buf_release(&names);
}

static int
check_measures(struct head_table *t, const char *measures, const char *name, struct err *e)
{
	if (!t->n)
		return err_set(e, EXIT_INPUT, "%s: no heads, expected some", name);
	if (!measures) {
		err_usage(e, "no measures, expected --measure NAME");
		hint_measures(t, e);
		return -1;
	}
	if (head_table_keep(t, measures, e)) {
		err_wrap(e, "%s: --measure", name);
		hint_measures(t, e);
		return -1;
	}
	if (t->n_columns > HEAD_FIGURE_MEASURES)
		return err_usage(e, "--measure %s: %zu measures, expected at most %d", measures,
				 t->n_columns, HEAD_FIGURE_MEASURES);
	return 0;
}

int
head_figure_make(struct head_figure *f, struct head_table *t, const char *measures,
		 const char *name, struct err *e)
{
	*f = (struct head_figure){ 0 };
	if (check_measures(t, measures, name, e))
		return -1;
	add_labels(f, t);
	for (size_t i = 0; i < t->n_columns; i++) {
		const struct head_column *c = head_table_measure(t, t->column[i].name, name, e);

		if (!c)
			return -1;
		add_measure(f, t, c);
	}
	return 0;
}

/* Whether values of both signs are drawn. */
static bool
has_both_signs(const struct panel *p, int n)
{
	bool below = false, above = false;

	for (int k = 0; k < n; k++)
		for (int i = 0; i < p[k].rows->n * p[k].columns->n; i++) {
			below |= p[k].x[i] < 0;
			above |= p[k].x[i] > 0;
		}
	return below && above;
}

/* The panels of a measure, titled by kind: the measure is the title of their row. */
static void
borrow_panels(const struct head_figure *f, int measure, struct panel *borrowed)
{
	const size_t prefix = strlen(f->measure[measure]) + strlen(", ");

	for (int k = 0; k < f->kinds; k++) {
		borrowed[k] = f->panel[measure * f->kinds + k];
		borrowed[k].title += prefix;
	}
}

int
head_figure_draw(const struct head_figure *f, const struct heat_map *style, const char *title,
		 struct buf *out, struct err *e)
{
	struct panel *panel = xcalloc((size_t)(f->n * f->kinds) + 1, sizeof(*panel));
	struct heat_map *map = xcalloc((size_t)f->n + 1, sizeof(*map));
	struct heat_map_size size;
	int bad;

	for (int i = 0; i < f->n; i++) {
		struct heat_map *h = &map[i];

		borrow_panels(f, i, &panel[i * f->kinds]);
		*h = *style;
		h->panel = &panel[i * f->kinds];
		h->n = h->across = f->kinds;
		h->fit = true;
		h->title = f->measure[i];
		if (h->colors == COLORS_BLUE && has_both_signs(h->panel, h->n))
			h->colors = COLORS_DIVERGING;
	}
	bad = heat_map_stack(map, f->n, title, !title ? NULL : style->numbers ?
			     "rows: layers; columns: heads; crossed out: pruned" :
			     "rows: layers; columns: heads; 1: greatest; crossed out: pruned",
			     out, &size, e);
	free(panel);
	free(map);
	return bad;
}

void
head_figure_release(struct head_figure *f)
{
	for (int i = 0; i < f->n * f->kinds; i++)
		panel_release(&f->panel[i]);
	for (int i = 0; i < f->n; i++)
		free(f->measure[i]);
	for (int k = 0; k < HEAD_FIGURE_KINDS; k++) {
		axis_release(&f->layers[k]);
		axis_release(&f->heads[k]);
	}
}
