/* heat-grid: arranges the panels of a heat map; see heat-grid.h. */
#include "draw/heat-grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/heat-scale.h"
#include "draw/measure.h"

const double heat_margin = 16, heat_gap = 14, heat_label_gap = 5;
const double heat_title_size = 15, heat_caption_size = 11, heat_panel_size = 12;
const double heat_max_label = 15;
static const double aspect = 1.5;		/* preferred width / height */

static double
longest(const struct axis *a)
{
	double max = 0;

	for (int i = 0; i < a->n; i++)
		max = fmax(max, measure_width(a->label[i], strlen(a->label[i])));
	return fmin(max, heat_max_label);
}

static double
widest_columns(const struct heat_map *h)
{
	double max = 0;

	for (int p = 0; p < h->n; p++)
		max = fmax(max, longest(h->panel[p].columns));
	return max;
}

/* The longest side of all panels, in cells. */
static int
max_cells(const struct heat_map *h)
{
	int max = 1;

	for (int p = 0; p < h->n; p++) {
		if (h->panel[p].rows->n > max)
			max = h->panel[p].rows->n;
		if (h->panel[p].columns->n > max)
			max = h->panel[p].columns->n;
	}
	return max;
}

static void
write_number(const struct heat_map *h, double v, char *text, size_t n)
{
	const int decimals = h->whole ? 0 : heat_scale_decimals(h);

	snprintf(text, n, "%.*f", decimals, fabs(v) < 0.5 * pow(10, -decimals) ? 0 : v);
}

void
heat_grid_cell(const struct heat_map *h, const struct panel *m, int i, char *text, size_t n)
{
	const char mark[] = { m->mark ? m->mark[i] : '\0', '\0' };
	size_t used = 0;

	*text = '\0';
	if (h->numbers && !isnan(m->x[i]))
		write_number(h, (double)m->x[i], text, n);
	used = strlen(text);
	if (*mark)
		snprintf(text + used, n - used, "%s%s", used ? " " : "", mark);
	else if (!h->numbers && m->rank && m->rank[i] > 0)
		snprintf(text, n, "%d", m->rank[i]);
}

static double
widest_cell(const struct heat_map *h)
{
	char text[400];
	double max = 0;

	for (int p = 0; p < h->n; p++) {
		const struct heat_map scale = heat_grid_scale(h, p);

		for (int i = 0; i < h->panel[p].rows->n * h->panel[p].columns->n; i++) {
			heat_grid_cell(&scale, &h->panel[p], i, text, sizeof(text));
			max = fmax(max, measure_width(text, strlen(text)));
		}
	}
	return max;
}

static bool
has_ranks(const struct heat_map *h)
{
	for (int p = 0; p < h->n; p++)
		if (h->panel[p].rank)
			return true;
	return false;
}

/* A single map may fill a page, several share it.  Labels stay legible. */
static void
choose_cell(struct heat_grid *g)
{
	const double room = g->h->n == 1 ? 720 : 340;
	const double max = g->h->n == 1 ? 26 : 20, min = g->h->n == 1 ? 12 : 11;

	g->cell = g->width = fmin(max, fmax(min, floor(room / max_cells(g->h))));
	g->font = fmin(12, g->cell - 2);
	if (g->h->numbers || has_ranks(g->h)) {
		g->cell = fmax(g->cell, 20);
		g->width = fmax(g->cell, ceil(g->font * widest_cell(g->h) + 8));
	}
	g->upright = g->font * widest_columns(g->h) <= g->width - 2;
}

bool
heat_grid_labels_rows(const struct heat_grid *g, int p)
{
	return p % g->across == 0 || g->h->panel[p].rows != g->h->panel[p - 1].rows;
}

static double
heat_grid_left_of(const struct heat_grid *g, int p)
{
	if (!heat_grid_labels_rows(g, p))
		return 0;
	return g->font * longest(g->h->panel[p].rows) + heat_label_gap;
}

static double
top_of(const struct heat_grid *g, int p)
{
	const double labels = g->upright ? 1 : longest(g->h->panel[p].columns);

	return g->title + g->font * labels + heat_label_gap;
}

static void
raise(double *x, double minimum)
{
	*x = fmax(*x, minimum);
}

static void
measure_panels(struct heat_grid *g)
{
	memset(g->column, 0, (size_t)g->h->n * sizeof(*g->column));
	memset(g->row, 0, (size_t)g->h->n * sizeof(*g->row));
	for (int p = 0; p < g->h->n; p++) {
		const struct panel *m = &g->h->panel[p];
		struct heat_track *column = &g->column[p % g->across];
		struct heat_track *row = &g->row[p / g->across];

		raise(&column->labels, heat_grid_left_of(g, p));
		raise(&column->cells, g->width * m->columns->n);
		raise(&column->cells, 1.1 * heat_panel_size *	/* bold */
		      measure_width(g->titles[p], strlen(g->titles[p])));
		raise(&row->labels, top_of(g, p));
		raise(&row->cells, g->cell * m->rows->n);
	}
}

static double
heat_grid_sum(const struct heat_track *t, int n)
{
	double s = heat_gap * (n > 0 ? n - 1 : 0);

	for (int i = 0; i < n; i++)
		s += t[i].labels + t[i].cells;
	return s;
}

double
heat_grid_width(const struct heat_grid *g)
{
	return heat_grid_sum(g->column, g->across);
}

double
heat_grid_height(const struct heat_grid *g)
{
	return heat_grid_sum(g->row, g->down);
}

static void
set_across(struct heat_grid *g, int across)
{
	g->across = across;
	g->down = (g->h->n + across - 1) / across;
	measure_panels(g);
}

/* The cost of an arrangement: the deviation from the preferred aspect, and empty places. */
static double
cost_of(const struct heat_grid *g)
{
	const double w = heat_grid_width(g), height = heat_grid_height(g);

	return fabs(log(w / height / aspect)) + (double)(g->across * g->down - g->h->n) / g->h->n;
}

static void
choose_across(struct heat_grid *g)
{
	int best = 1;
	double min = INFINITY;

	for (int a = 1; a <= g->h->n; a++) {
		set_across(g, a);
		if (cost_of(g) < min) {
			min = cost_of(g);
			best = a;
		}
	}
	set_across(g, best);
}

struct heat_map
heat_grid_scale(const struct heat_map *h, int p)
{
	struct heat_map own = *h;

	if (!h->each)
		return own;
	own.panel = &h->panel[p];
	own.n = 1;
	heat_map_range(&own);
	return own;
}

static char *
title_of(const struct heat_map *h, int p)
{
	const char *title = h->panel[p].title ? h->panel[p].title : "";
	const struct heat_map own = heat_grid_scale(h, p);

	if (!h->each)
		return xstrdup(title);
	return xasprintf("%s%s%g to %g", title, *title ? ", " : "", own.low, own.high);
}

void
heat_grid_init(struct heat_grid *g, const struct heat_map *h)
{
	const size_t n = (size_t)h->n;

	*g = (struct heat_grid){ .h = h, .head = heat_margin };
	g->column = xcalloc(n, sizeof(*g->column));
	g->row = xcalloc(n, sizeof(*g->row));
	g->titles = xcalloc(n, sizeof(*g->titles));
	for (int p = 0; p < h->n; p++) {
		g->titles[p] = title_of(h, p);
		if (*g->titles[p])
			g->title = heat_panel_size + 8;
	}
	g->head += h->title ? heat_title_size + 6 : 0;
	g->head += h->caption ? heat_caption_size + 10 : 0;
	choose_cell(g);
	if (h->across)
		set_across(g, h->across < h->n ? h->across : h->n);
	else
		choose_across(g);
}

void
heat_grid_release(struct heat_grid *g)
{
	for (int p = 0; p < g->h->n; p++)
		free(g->titles[p]);
	free(g->titles);
	free(g->column);
	free(g->row);
}
