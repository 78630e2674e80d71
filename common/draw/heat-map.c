/*
 * heat-map: heat maps; see heat-map.h.
 *
 * Panels are arranged in a grid.  Each column of the grid is as wide as its widest panel, each line
 * as high as its highest.  A panel has, from above, its title, column labels and cells.
 */
#include "draw/heat-map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/heat-scale.h"
#include "draw/measure.h"
#include "draw/svg.h"

static const double margin = 16, gap = 14;	/* around the figure; between panels */
static const double label_gap = 5;		/* between a label and the cells */
static const double title_size = 15, caption_size = 11, panel_size = 12;
static const double max_label = 15;		/* em */
static const double aspect = 1.5;		/* preferred width / height */

struct grid {
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

static double
longest(const struct axis *a)
{
	double max = 0;

	for (int i = 0; i < a->n; i++)
		max = fmax(max, measure_width(a->label[i], strlen(a->label[i])));
	return fmin(max, max_label);
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

static bool
is_whole(const struct heat_map *h)
{
	for (int p = 0; p < h->n; p++)
		for (int i = 0; i < h->panel[p].rows->n * h->panel[p].columns->n; i++) {
			const float x = h->panel[p].x[i];

			if (!isnan(x) && x != rintf(x))
				return false;
		}
	return true;
}

static void
write_number(const struct heat_map *h, double v, char *to, size_t n)
{
	const int decimals = h->whole ? 0 : heat_scale_decimals(h);

	snprintf(to, n, "%.*f", decimals, fabs(v) < 0.5 * pow(10, -decimals) ? 0 : v);
}

/* The text of cell i of a panel: its value, if values are printed, and its mark. */
static void
write_cell(const struct heat_map *h, const struct panel *m, int i, char *to, size_t n)
{
	const char mark[] = { m->mark ? m->mark[i] : '\0', '\0' };
	size_t used = 0;

	*to = '\0';
	if (h->numbers && !isnan(m->x[i]))
		write_number(h, (double)m->x[i], to, n);
	used = strlen(to);
	if (*mark)
		snprintf(to + used, n - used, "%s%s", used ? " " : "", mark);
}

static double
widest_cell(const struct heat_map *h)
{
	char text[400];
	double max = 0;

	for (int p = 0; p < h->n; p++)
		for (int i = 0; i < h->panel[p].rows->n * h->panel[p].columns->n; i++) {
			write_cell(h, &h->panel[p], i, text, sizeof(text));
			max = fmax(max, measure_width(text, strlen(text)));
		}
	return max;
}

/* A single map may fill a page, several share it.  Labels stay legible. */
static void
choose_cell(struct grid *g)
{
	const double room = g->h->n == 1 ? 720 : 340;
	const double max = g->h->n == 1 ? 26 : 20, min = g->h->n == 1 ? 12 : 11;

	g->cell = g->width = fmin(max, fmax(min, floor(room / max_cells(g->h))));
	g->font = fmin(12, g->cell - 2);
	if (g->h->numbers) {
		g->cell = fmax(g->cell, 20);
		g->width = fmax(g->cell, ceil(g->font * widest_cell(g->h) + 8));
	}
	g->upright = g->font * widest_columns(g->h) <= g->width - 2;
}

/* Adjacent panels with the same rows share the row labels. */
static bool
labels_rows(const struct grid *g, int p)
{
	return p % g->across == 0 || g->h->panel[p].rows != g->h->panel[p - 1].rows;
}

static double
left_of(const struct grid *g, int p)
{
	return labels_rows(g, p) ? g->font * longest(g->h->panel[p].rows) + label_gap : 0;
}

static double
top_of(const struct grid *g, int p)
{
	const double labels = g->upright ? 1 : longest(g->h->panel[p].columns);

	return g->title + g->font * labels + label_gap;
}

static void
raise(double *x, double to)
{
	*x = fmax(*x, to);
}

static void
measure_panels(struct grid *g)
{
	memset(g->left, 0, (size_t)g->h->n * sizeof(*g->left));
	memset(g->body, 0, (size_t)g->h->n * sizeof(*g->body));
	memset(g->top, 0, (size_t)g->h->n * sizeof(*g->top));
	memset(g->depth, 0, (size_t)g->h->n * sizeof(*g->depth));
	for (int p = 0; p < g->h->n; p++) {
		const struct panel *m = &g->h->panel[p];
		const int i = p % g->across, j = p / g->across;

		raise(&g->left[i], left_of(g, p));
		raise(&g->body[i], g->width * m->columns->n);
		raise(&g->body[i], 1.1 * panel_size *	/* bold */
		      measure_width(g->titles[p], strlen(g->titles[p])));
		raise(&g->top[j], top_of(g, p));
		raise(&g->depth[j], g->cell * m->rows->n);
	}
}

static double
sum(const double *a, const double *b, int n)
{
	double s = gap * (n > 0 ? n - 1 : 0);

	for (int i = 0; i < n; i++)
		s += a[i] + b[i];
	return s;
}

static void
set_across(struct grid *g, int across)
{
	g->across = across;
	g->down = (g->h->n + across - 1) / across;
	measure_panels(g);
}

/* The cost of an arrangement: the deviation from the preferred aspect, and empty places. */
static double
cost_of(const struct grid *g)
{
	const double w = sum(g->left, g->body, g->across), height = sum(g->top, g->depth, g->down);

	return fabs(log(w / height / aspect)) + (double)(g->across * g->down - g->h->n) / g->h->n;
}

static void
choose_across(struct grid *g)
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

/* The heat map whose scale panel p uses: the whole one, or with h->each one of this panel. */
static struct heat_map
scale_of(const struct heat_map *h, int p)
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
	const struct heat_map own = scale_of(h, p);

	if (!h->each)
		return xstrdup(title);
	return xasprintf("%s%s%g to %g", title, *title ? ", " : "", own.low, own.high);
}

static void
grid_init(struct grid *g, const struct heat_map *h)
{
	const size_t n = (size_t)h->n;

	*g = (struct grid){ .h = h, .head = margin };
	g->left = xcalloc(n, sizeof(*g->left));
	g->body = xcalloc(n, sizeof(*g->body));
	g->top = xcalloc(n, sizeof(*g->top));
	g->depth = xcalloc(n, sizeof(*g->depth));
	g->titles = xcalloc(n, sizeof(*g->titles));
	for (int p = 0; p < h->n; p++) {
		g->titles[p] = title_of(h, p);
		if (*g->titles[p])
			g->title = panel_size + 8;
	}
	g->head += h->title ? title_size + 6 : 0;
	g->head += h->caption ? caption_size + 10 : 0;
	choose_cell(g);
	choose_across(g);
}

static void
grid_release(struct grid *g)
{
	for (int p = 0; p < g->h->n; p++)
		free(g->titles[p]);
	free(g->titles);
	free(g->left);
	free(g->body);
	free(g->top);
	free(g->depth);
}

/* White if there is no value. */
static void
cell_color(const struct heat_map *h, float x, char hex[8])
{
	if (isnan(x))
		strcpy(hex, "#fff");
	else
		color_hex(color_at(h->colors, heat_scale_at(h, x)), hex);
}

static void
draw_cells(const struct grid *g, const struct heat_map *h, const struct panel *m, struct buf *out)
{
	char hex[8];

	for (int i = 0; i < m->rows->n; i++) {
		const float *x = panel_row(m, i);

		for (int j = 0; j < m->columns->n; j++) {
			cell_color(h, x[j], hex);
			buf_printf(out, "<rect x=\"%g\" y=\"%g\"", g->width * j, g->cell * i);
			buf_printf(out, " width=\"%g\" height=\"%g\" fill=\"%s\"/>\n", g->width,
				   g->cell, hex);
		}
	}
}

/* Crosses out cells without a value. */
static void
draw_crosses(const struct grid *g, const struct panel *m, struct buf *out)
{
	struct buf d = { 0 };

	for (int i = 0; i < m->rows->n; i++)
		for (int j = 0; j < m->columns->n; j++)
			if (isnan(panel_row(m, i)[j]))
				buf_printf(&d, "M%g %gl%g-%g", g->width * j, g->cell * (i + 1),
					   g->width, g->cell);
	if (d.n)
		buf_printf(out, "<path stroke=\"#000\" stroke-opacity=\".3\" d=\"%s\"/>\n", d.data);
	buf_release(&d);
}

/* Hairlines between rows and columns, and a frame. */
static void
draw_lines(const struct grid *g, const struct panel *m, struct buf *out)
{
	const double w = g->width * m->columns->n, height = g->cell * m->rows->n;

	buf_add_str(out, "<path fill=\"none\" stroke=\"#000\" stroke-opacity=\".08\" d=\"");
	for (int i = 1; i < m->rows->n; i++)
		buf_printf(out, "M0 %gh%g", g->cell * i, w);
	for (int j = 1; j < m->columns->n; j++)
		buf_printf(out, "M%g 0v%g", g->width * j, height);
	buf_printf(out, "\"/>\n<path fill=\"none\" stroke=\"#888\" d=\"M0 0h%gv%gH0z\"/>\n", w,
		   height);
}

/* A text color that is readable on the color of v. */
static const char *
ink(const struct heat_map *h, double v)
{
	const struct color c = color_at(h->colors, heat_scale_at(h, v));

	return color_luminance(c) > 0.18 ? "#111" : "#fff";
}

static void
draw_texts(const struct grid *g, const struct heat_map *h, const struct panel *m, struct buf *out)
{
	struct svg_text how = { .size = fmin(g->font, 10), .anchor = SVG_MIDDLE };
	char text[400];

	for (int i = 0; i < m->rows->n; i++)
		for (int j = 0; j < m->columns->n; j++) {
			const double v = (double)panel_row(m, i)[j];

			write_cell(g->h, m, i * m->columns->n + j, text, sizeof(text));
			if (isnan(v) || !*text)
				continue;
			how.x = g->width * (j + 0.5);
			how.y = g->cell * (i + 0.5) + how.size * 0.36;
			how.fill = ink(h, v);
			svg_text(out, &how, text);
		}
}

static void
draw_row_labels(const struct grid *g, const struct axis *a, struct buf *out)
{
	struct svg_text how = { .x = -label_gap, .size = g->font, .anchor = SVG_END, .fill = "#222",
				.max_em = max_label };

	for (int i = 0; i < a->n; i++) {
		how.y = g->cell * (i + 0.5) + g->font * 0.36;
		svg_text(out, &how, a->label[i]);
	}
}

static void
draw_column_labels(const struct grid *g, const struct axis *a, struct buf *out)
{
	struct svg_text how = { .y = -label_gap, .size = g->font, .fill = "#222",
				.upward = !g->upright, .max_em = max_label };

	how.anchor = g->upright ? SVG_MIDDLE : SVG_START;

	for (int j = 0; j < a->n; j++) {
		how.x = g->width * (j + 0.5) + (g->upright ? 0 : g->font * 0.36);
		svg_text(out, &how, a->label[j]);
	}
}

/* Draws panel p with the upper left corner of its cells at x, y. */
static void
draw_panel(const struct grid *g, int p, double x, double y, double top, struct buf *out)
{
	const struct panel *m = &g->h->panel[p];
	const struct heat_map scale = scale_of(g->h, p);

	buf_printf(out, "<g transform=\"translate(%g %g)\">\n", x, y);
	buf_add_str(out, "<g shape-rendering=\"crispEdges\">\n");
	draw_cells(g, &scale, m, out);
	draw_lines(g, m, out);
	buf_add_str(out, "</g>\n");
	draw_crosses(g, m, out);
	if (g->h->numbers || m->mark)
		draw_texts(g, &scale, m, out);
	if (labels_rows(g, p))
		draw_row_labels(g, m->rows, out);
	draw_column_labels(g, m->columns, out);
	if (*g->titles[p])
		svg_text(out, &(struct svg_text){ .y = panel_size - top, .size = panel_size,
						  .fill = "#222", .bold = true }, g->titles[p]);
	buf_add_str(out, "</g>\n");
}

static void
draw_panels(const struct grid *g, struct buf *out)
{
	double y = g->head;

	for (int j = 0; j < g->down; j++) {
		double x = margin;

		for (int i = 0; i < g->across && j * g->across + i < g->h->n; i++) {
			draw_panel(g, j * g->across + i, ceil(x + g->left[i]), ceil(y + g->top[j]),
				   g->top[j], out);
			x += g->left[i] + g->body[i] + gap;
		}
		y += g->top[j] + g->depth[j] + gap;
	}
}

static void
draw_head(const struct heat_map *h, double width, struct buf *out)
{
	struct svg_text how = { .x = margin, .y = margin - 2, .fill = "#111", .bold = true };

	if (h->title) {
		how.size = title_size;
		how.y += title_size;
		how.max_em = (width - 2 * margin) / title_size;
		svg_text(out, &how, h->title);
		how.y += 6;
	}
	if (!h->caption)
		return;
	how.size = caption_size;
	how.y += caption_size;
	how.max_em = (width - 2 * margin) / caption_size;
	how.fill = "#666";
	how.bold = false;
	svg_text(out, &how, h->caption);
}

/* Width of title and caption, up to a limit. */
static double
head_width(const struct heat_map *h)
{
	const char *title = h->title ? h->title : "", *caption = h->caption ? h->caption : "";
	const double t = title_size * measure_width(title, strlen(title)) * 1.1;
	const double c = caption_size * measure_width(caption, strlen(caption));

	return fmin(fmax(t, c), 700) + 1;
}

static int
check_size(const struct heat_map *h, struct err *e)
{
	double cells = 0;

	for (int p = 0; p < h->n; p++)
		cells += (double)h->panel[p].rows->n * h->panel[p].columns->n;
	if (cells > HEAT_MAP_CELLS)
		return err_set(e, EXIT_INPUT, "a figure of %.0f cells, expected at most %d", cells,
			       HEAT_MAP_CELLS);
	return 0;
}

int
heat_map_draw(const struct heat_map *h, struct buf *out, struct heat_map_size *size, struct err *e)
{
	struct heat_map own = *h;
	struct grid g;
	double right;

	if (check_size(h, e))
		return -1;
	if (own.low >= own.high)
		heat_map_range(&own);
	own.whole = is_whole(h);
	grid_init(&g, &own);
	right = ceil(margin + sum(g.left, g.body, g.across) + gap);
	size->width = ceil(fmax(right + heat_scale_width(&own), margin + head_width(h)) + margin);
	size->height = ceil(g.head + sum(g.top, g.depth, g.down) + margin);
	size->height = fmax(size->height, g.head + g.top[0] + 100 + margin);
	svg_begin(out, size->width, size->height, h->title ? h->title : "heat map");
	draw_head(h, size->width, out);
	draw_panels(&g, out);
	heat_scale_draw(&own, out, right, ceil(g.head + g.top[0]), fmin(180, fmax(96, g.depth[0])));
	svg_end(out);
	grid_release(&g);
	return 0;
}
