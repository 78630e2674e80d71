/* heat-map: draws heat maps; see heat-map.h. */
#include "draw/heat-map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/heat-grid.h"
#include "draw/heat-scale.h"
#include "draw/measure.h"
#include "draw/svg.h"

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
draw_cells(const struct heat_grid *g, const struct heat_map *h, const struct panel *m,
	   struct buf *out)
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
draw_crosses(const struct heat_grid *g, const struct panel *m, struct buf *out)
{
	struct buf d = { 0 };

	for (int i = 0; i < m->rows->n; i++)
		for (int j = 0; j < m->columns->n; j++)
			if (isnan(panel_row(m, i)[j]) &&
			    !(m->rank && m->rank[i * m->columns->n + j] == 0))
				buf_printf(&d, "M%g %gl%g-%g", g->width * j, g->cell * (i + 1),
					   g->width, g->cell);
	if (d.n)
		buf_printf(out, "<path stroke=\"#000\" stroke-opacity=\".3\" d=\"%s\"/>\n", d.data);
	buf_release(&d);
}

/* Hairlines between rows and columns, and a frame. */
static void
draw_lines(const struct heat_grid *g, const struct panel *m, struct buf *out)
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
draw_texts(const struct heat_grid *g, const struct heat_map *h, const struct panel *m,
	   struct buf *out)
{
	struct svg_text how = { .size = fmin(g->font, 10), .anchor = SVG_MIDDLE };
	char text[400];

	for (int i = 0; i < m->rows->n; i++)
		for (int j = 0; j < m->columns->n; j++) {
			const double v = (double)panel_row(m, i)[j];

			heat_grid_cell(h, m, i * m->columns->n + j, text, sizeof(text));
			if (isnan(v) || !*text)
				continue;
			how.x = g->width * (j + 0.5);
			how.y = g->cell * (i + 0.5) + how.size * 0.36;
			how.fill = ink(h, v);
			svg_text(out, &how, text);
		}
}

static void
draw_row_labels(const struct heat_grid *g, const struct axis *a, struct buf *out)
{
	struct svg_text how = { .x = -heat_label_gap, .size = g->font, .anchor = SVG_END,
				.fill = "#222", .max_em = heat_max_label };

	for (int i = 0; i < a->n; i++) {
		how.y = g->cell * (i + 0.5) + g->font * 0.36;
		svg_text(out, &how, a->label[i]);
	}
}

static void
draw_column_labels(const struct heat_grid *g, const struct axis *a, struct buf *out)
{
	struct svg_text how = { .y = -heat_label_gap, .size = g->font, .fill = "#222",
				.upward = !g->upright, .max_em = heat_max_label };

	how.anchor = g->upright ? SVG_MIDDLE : SVG_START;

	for (int j = 0; j < a->n; j++) {
		how.x = g->width * (j + 0.5) + (g->upright ? 0 : g->font * 0.36);
		svg_text(out, &how, a->label[j]);
	}
}

/* Draws panel p with the upper left corner of its cells at x, y. */
static void
draw_panel(const struct heat_grid *g, int p, double x, double y, double top, struct buf *out)
{
	const struct panel *m = &g->h->panel[p];
	const struct heat_map scale = heat_grid_scale(g->h, p);

	buf_printf(out, "<g transform=\"translate(%g %g)\">\n", x, y);
	buf_add_str(out, "<g shape-rendering=\"crispEdges\">\n");
	draw_cells(g, &scale, m, out);
	draw_lines(g, m, out);
	buf_add_str(out, "</g>\n");
	draw_crosses(g, m, out);
	if (g->h->numbers || m->mark || m->rank)
		draw_texts(g, &scale, m, out);
	if (heat_grid_labels_rows(g, p))
		draw_row_labels(g, m->rows, out);
	draw_column_labels(g, m->columns, out);
	if (*g->titles[p])
		svg_text(out, &(struct svg_text){ .y = heat_panel_size - top,
						  .size = heat_panel_size, .fill = "#222",
						  .bold = true }, g->titles[p]);
	buf_add_str(out, "</g>\n");
}

static void
draw_panels(const struct heat_grid *g, struct buf *out)
{
	double y = g->head;

	for (int j = 0; j < g->down; j++) {
		const struct heat_track *row = &g->row[j];
		double x = heat_margin;

		for (int i = 0; i < g->across && j * g->across + i < g->h->n; i++) {
			const struct heat_track *column = &g->column[i];

			draw_panel(g, j * g->across + i, ceil(x + column->labels),
				   ceil(y + row->labels), row->labels, out);
			x += column->labels + column->cells + heat_gap;
		}
		y += row->labels + row->cells + heat_gap;
	}
}

static void
draw_head(const struct heat_map *h, double width, struct buf *out)
{
	struct svg_text how = { .x = heat_margin, .y = heat_margin - 2, .fill = "#111",
				.bold = true };

	if (h->title) {
		how.size = heat_title_size;
		how.y += heat_title_size;
		how.max_em = (width - 2 * heat_margin) / heat_title_size;
		svg_text(out, &how, h->title);
		how.y += 6;
	}
	if (!h->caption)
		return;
	how.size = heat_caption_size;
	how.y += heat_caption_size;
	how.max_em = (width - 2 * heat_margin) / heat_caption_size;
	how.fill = "#666";
	how.bold = false;
	svg_text(out, &how, h->caption);
}

/* Width of title and caption, up to a limit. */
static double
heat_map_head_width(const struct heat_map *h)
{
	const char *title = h->title ? h->title : "", *caption = h->caption ? h->caption : "";
	const double t = heat_title_size * measure_width(title, strlen(title)) * 1.1;
	const double c = heat_caption_size * measure_width(caption, strlen(caption));

	return fmin(fmax(t, c), 700) + 1;
}

static int
heat_map_check_size(const struct heat_map *h, struct err *e)
{
	double cells = 0;

	for (int p = 0; p < h->n; p++)
		cells += (double)h->panel[p].rows->n * h->panel[p].columns->n;
	if (cells > HEAT_MAP_CELLS)
		return err_set(e, EXIT_INPUT, "a figure of %.0f cells, expected at most %d", cells,
			       HEAT_MAP_CELLS);
	return 0;
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

/* A heat map with its scale and the places of its panels. */
struct placed {
	struct heat_map map;
	struct heat_grid grid;
	double right;			/* of its panels */
	struct heat_map_size size;
};

/* The minimum height of the color bar: lower beside a single row of panels. */
static double
min_bar(const struct heat_map *h)
{
	return h->across ? 64 : 96;
}

static int
heat_map_place(const struct heat_map *h, struct placed *p, struct err *e)
{
	struct heat_grid *g = &p->grid;

	if (heat_map_check_size(h, e))
		return -1;
	p->map = *h;
	if (h->low >= h->high)
		heat_map_range(&p->map);
	p->map.whole = is_whole(h);
	heat_grid_init(g, &p->map);
	p->right = ceil(heat_margin + heat_grid_width(g) + heat_gap);
	p->size.width = ceil(fmax(p->right + heat_scale_width(&p->map),
				  heat_margin + heat_map_head_width(h)) + heat_margin);
	p->size.height = ceil(g->head + heat_grid_height(g) + heat_margin);
	p->size.height = fmax(p->size.height, g->head + g->row[0].labels + min_bar(h) + 4 +
			      heat_margin);
	return 0;
}

static void
draw_placed(const struct placed *p, struct buf *out)
{
	const struct heat_grid *g = &p->grid;

	draw_head(&p->map, p->size.width, out);
	draw_panels(g, out);
	heat_scale_draw(&p->map, out, p->right, ceil(g->head + g->row[0].labels),
			fmin(180, fmax(min_bar(&p->map), g->row[0].cells)));
}

int
heat_map_draw(const struct heat_map *h, struct buf *out, struct heat_map_size *size, struct err *e)
{
	struct placed p;

	if (heat_map_place(h, &p, e))
		return -1;
	*size = p.size;
	svg_begin(out, size->width, size->height, h->title ? h->title : "heat map");
	draw_placed(&p, out);
	svg_end(out);
	heat_grid_release(&p.grid);
	return 0;
}

/* Below all heat maps. */
static void
draw_foot(const char *caption, const struct heat_map_size *size, struct buf *out)
{
	const struct svg_text how = {
		.x = heat_margin, .y = size->height - heat_margin, .size = heat_caption_size,
		.fill = "#666", .max_em = (size->width - 2 * heat_margin) / heat_caption_size
	};

	svg_text(out, &how, caption);
}

static void
draw_stack(const struct placed *p, int n, const struct heat_map *all,
	   const struct heat_map_size *size, struct buf *out)
{
	double y = all->title ? heat_title_size + 10 : 0;

	svg_begin(out, size->width, size->height, all->title ? all->title : "heat maps");
	draw_head(&(struct heat_map){ .title = all->title }, size->width, out);
	for (int i = 0; i < n; i++) {
		buf_printf(out, "<g transform=\"translate(0 %g)\">\n", y);
		draw_placed(&p[i], out);
		buf_add_str(out, "</g>\n");
		y += p[i].size.height;
	}
	if (all->caption)
		draw_foot(all->caption, size, out);
	svg_end(out);
}

/* Empty texts are none. */
static const char *
text_or_none(const char *text)
{
	return text && *text ? text : NULL;
}

int
heat_map_stack(const struct heat_map *h, int n, const char *title, const char *caption,
	       struct buf *out, struct heat_map_size *size, struct err *e)
{
	const struct heat_map all = { .title = text_or_none(title),
				      .caption = text_or_none(caption) };
	struct placed *p = xcalloc((size_t)n, sizeof(*p));
	int bad = 0, placed = 0;

	*size = (struct heat_map_size){
		heat_map_head_width(&all) + 2 * heat_margin,
		(all.title ? heat_title_size + 10 : 0) + (all.caption ? heat_caption_size + 6 : 0)
	};
	while (!bad && placed < n)
		if (!(bad = heat_map_place(&h[placed], &p[placed], e))) {
			size->width = ceil(fmax(size->width, p[placed].size.width));
			size->height += p[placed++].size.height;
		}
	if (!bad)
		draw_stack(p, n, &all, size, out);
	for (int i = 0; i < placed; i++)
		heat_grid_release(&p[i].grid);
	free(p);
	return bad;
}
