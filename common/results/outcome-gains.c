/* outcome-gains: see outcome-gains.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/forest.h"
#include "results/outcome-gains.h"
#include "results/page.h"

struct gains {
	const struct outcomes *o;
	const char *base;		/* the first baseline, that of all differences */
	struct buf zero;		/* its label, up to a comma */
	const char *kind[FOREST_POINTS];
	struct gains_panel { const struct our_column *column; const char *measure; }
		panel[FOREST_PANELS];
	int n_panels;
	struct forest_row *row;
	struct buf *title, *target;	/* [n]: of each row */
	size_t n;
};

/* --- rows and kinds --- */

/* The row whose label another one begins with, before the last comma; or NULL. */
static const struct grid_row *
row_before_comma(const struct grid_section *s, const char *label, const char **kind)
{
	const char *comma = NULL;

	for (const char *c = label; (c = strstr(c, ", ")); c += 2)
		comma = c;
	for (size_t i = 0; comma && i < s->n_rows; i++)
		if (!strncmp(s->row[i].label, label, (size_t)(comma - label)) &&
		    !s->row[i].label[comma - label]) {
			*kind = comma + 2;
			return &s->row[i];
		}
	return NULL;
}

/* The index of a kind, which is added if it is new; -1 if there is no room. */
static int
kind_of(struct gains *g, const char *kind)
{
	for (int j = 0; j < FOREST_POINTS; j++) {
		if (!g->kind[j])
			g->kind[j] = kind;
		if (!strcmp(g->kind[j], kind))
			return j;
	}
	return -1;
}

/* A report has a part for each run: the first one of the system in the first column. */
static void
link_run(const struct gains *g, const char *variant, struct buf *out)
{
	for (size_t i = 0; !out->n && i < g->o->n_runs; i++) {
		const struct facts *run = &g->o->run[i];
		char *name;

		if (strcmp(run->variant, variant) ||
		    strcmp(run->column, g->panel[0].column->name))
			continue;
		name = xasprintf("%s %s %s %s", run->paper, run->column, variant, run->seed);
		page_slug(out, name);
		free(name);
	}
}

static struct forest_row *
gains_row(struct gains *g, const char *label, const char *variant)
{
	size_t i = 0;

	while (i < g->n && strcmp(g->row[i].label, label))
		i++;
	if (i == g->n) {
		g->row[g->n++] = (struct forest_row) {
			.label = label, .note = "", .color = "#222"
		};
		for (int k = 0; k < FOREST_PANELS; k++)
			for (int j = 0; j < FOREST_POINTS; j++)
				g->row[i].at[k][j] = forest_no_point;
		buf_add_str(&g->title[i], label);
		link_run(g, variant, &g->target[i]);
	}
	return &g->row[i];
}

/* --- panels --- */

static void
set_base(struct gains *g)
{
	const struct grid_section *s = g->o->section;
	const char *label;
	size_t i = 0;

	while (i < s->n_rows && !s->row[i].n_bases)
		i++;
	if (i == s->n_rows)
		return;
	g->base = s->row[i].base[0];
	label = grid_label(g->o->grid, g->base, s->row[i].variant);
	buf_add(&g->zero, label, strcspn(label, ","));
}

static size_t
runs_in(const struct gains *g, const struct our_column *c, const char *measure)
{
	const struct grid_section *s = g->o->section;
	size_t n = 0;

	for (size_t i = 0; i < s->n_rows; i++)
		if (s->row[i].n_bases)
			n += outcome_of(g->o, &s->row[i], g->base, c, measure, -1).difference.n > 0;
	return n;
}

static void
add_panel(struct gains *g, const struct our_column *c, const char *measure)
{
	if (g->n_panels < FOREST_PANELS)
		g->panel[g->n_panels++] = (struct gains_panel) { c, measure };
	else
		warn("section %s: %s is left out, expected at most %d columns of data",
		     g->o->section->name, c->name, FOREST_PANELS);
}

/* Columns with at least half the maximum number of rows. */
static void
set_panels(struct gains *g)
{
	size_t most = 0;

	for (size_t i = 0; i < g->o->n_columns; i++) {
		const size_t n = runs_in(g, &g->o->column[i], "test.nll");

		most = n > most ? n : most;
	}
	for (size_t i = 0; i < g->o->n_columns; i++)
		if (most && 2 * runs_in(g, &g->o->column[i], "test.nll") >= most)
			add_panel(g, &g->o->column[i], "test.nll");
	if (g->n_panels == 1 && runs_in(g, g->panel[0].column, "bleu"))
		add_panel(g, g->panel[0].column, "bleu");
}

/* --- values --- */

static void
gains_add_row(struct gains *g, const struct grid_row *row)
{
	const char *kind = g->kind[0];
	const struct grid_row *of = row_before_comma(g->o->section, row->label, &kind);
	const int j = kind_of(g, kind);
	bool first = true;

	for (int k = 0; k < g->n_panels; k++) {
		const struct gains_panel *p = &g->panel[k];
		const struct outcome v = outcome_of(g->o, row, g->base, p->column, p->measure, -1);
		struct forest_row *r;

		if (!v.difference.n)
			continue;
		if (j < 0) {
			warn("section %s: row '%s' is left out, expected at most %d kinds of "
			     "points", g->o->section->name, row->label, FOREST_POINTS);
			return;
		}
		r = gains_row(g, of ? of->label : row->label, of ? of->variant : row->variant);
		r->at[k][j] = (struct forest_point) {
			v.difference.mean, v.difference.low, v.difference.high, NAN, NAN
		};
		if (first)
			buf_printf(&g->title[r - g->row], "; %s", kind);
		first = false;
		buf_printf(&g->title[r - g->row], ": %s ", measure_label(p->measure));
		cell_interval(&g->title[r - g->row], p->measure, &v.difference);
	}
}

/* The largest gain first; rows without a first point last. */
static int
by_gain(const void *a, const void *b)
{
	const double x = ((const struct forest_row *)a)->at[0][0].value;
	const double y = ((const struct forest_row *)b)->at[0][0].value;

	if (isnan(x) || isnan(y))
		return isnan(x) - isnan(y);
	return x < y ? -1 : x > y;
}

/* The name of a corpus, or the size if all are samples of one. */
static char *
column_label(const struct gains *g, const struct our_column *c)
{
	const size_t n = grid_corpus_length(c->name);

	for (int k = 0; k < g->n_panels; k++) {
		const char *other = g->panel[k].column->name;

		if (grid_corpus_length(other) != n || memcmp(other, c->name, n))
			return xasprintf("NLL, %s", c->name);
	}
	return c->name[n] ? xasprintf("NLL, %s pairs", c->name + n + 1)
			  : xstrdup("NLL, all pairs");
}

static void
gains_draw(struct gains *g, bool narrow, struct buf *out)
{
	struct forest_block block = { .row = g->row, .n_rows = g->n };
	struct forest f = {
		.title = g->o->section->title, .none = "No row has runs yet.", .block = &block,
		.n_blocks = 1, .narrow = narrow
	};
	const bool several = g->n_panels > 1 && measure_of_loss(g->panel[1].measure);
	char *label[FOREST_PANELS];

	block.shared = several;
	for (int k = 0; k < g->n_panels; k++) {
		const struct gains_panel *p = &g->panel[k];
		const bool loss = measure_of_loss(p->measure);

		label[k] = several ? column_label(g, p->column)
				   : xstrdup(loss ? "Test NLL, nats" : "BLEU");
		block.panel[k] = (struct forest_panel) {
			.label = label[k], .zero = g->zero.data, .reversed = loss
		};
	}
	for (int j = 0; j < FOREST_POINTS && g->kind[1]; j++)
		f.kind[j] = g->kind[j];
	forest_svg(out, &f);
	for (int k = 0; k < g->n_panels; k++)
		free(label[k]);
}

void
outcome_gains(const struct outcomes *o, bool narrow, struct buf *out)
{
	const size_t n = o->section->n_rows;
	struct gains g = { .o = o };

	g.kind[0] = o->section->kind ? o->section->kind : "system";
	g.row = xcalloc(n + 1, sizeof(*g.row));
	g.title = xcalloc(n + 1, sizeof(*g.title));
	g.target = xcalloc(n + 1, sizeof(*g.target));
	set_base(&g);
	set_panels(&g);
	for (size_t i = 0; i < n; i++)
		if (o->section->row[i].n_bases)
			gains_add_row(&g, &o->section->row[i]);
	for (size_t i = 0; i < g.n; i++) {
		g.row[i].title = g.title[i].data;
		g.row[i].target = g.target[i].n ? g.target[i].data : NULL;
	}
	if (g.n)
		qsort(g.row, g.n, sizeof(*g.row), by_gain);
	gains_draw(&g, narrow, out);
	for (size_t i = 0; i < g.n; i++) {
		buf_release(&g.title[i]);
		buf_release(&g.target[i]);
	}
	buf_release(&g.zero);
	free(g.row);
	free(g.title);
	free(g.target);
}
