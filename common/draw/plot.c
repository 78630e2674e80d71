/* plot: line plots; see plot.h. */
#include "draw/plot.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/measure.h"
#include "draw/plot-axis.h"
#include "draw/plot-labels.h"
#include "draw/plot-legend.h"
#include "draw/plot-style.h"
#include "draw/svg.h"

enum { WIDTH = 400, HEIGHT = 290, RIGHT = 160, RIGHT_ALONE = 320, TOP = 18, PER_ROW = 2 };
enum { MIN_WIDTH = 160, MIN_HEIGHT = 150 };
enum { LEVEL_SPOTS = 9, ASIDE = 7 };

struct layout {
	size_t per_row;			/* panels */
	double left;			/* width of the y axis */
	double width, height;		/* of a panel */
	double right;			/* width of the margin for labels */
	bool below;			/* legends are below their panels */
};

struct drawing {
	struct buf *out;
	const struct plot *p;
	const struct plot_panel *panel;	/* the current one */
	struct layout layout;
	struct plot_axis x, y;		/* of the current panel */
	struct plot_box box;		/* of the current panel */
};

/* --- layout --- */

static struct plot_axis y_axis(const struct plot_panel *p, double height);

/* Divides the given width among as many panels as fit. */
static void
fit_width(struct layout *l, const struct plot *p)
{
	const double columns = floor(p->width / (l->left + MIN_WIDTH + PLOT_AXIS_RIGHT));

	l->per_row = columns < 2 ? 1 : columns < (double)p->n ? (size_t)columns : p->n;
	l->right = PLOT_AXIS_RIGHT;
	l->width = fmax(MIN_WIDTH, p->width / (double)l->per_row - l->left - l->right);
	l->height = fmax(MIN_HEIGHT, l->width * HEIGHT / WIDTH);
	for (size_t i = 0; i < p->n; i++)
		l->height = fmax(l->height, PLOT_LABEL_FONT * measure_width(p->panel[i].label,
								strlen(p->panel[i].label)));
	l->height = fmin(l->height, HEIGHT);
}

/*
 * Without a given width, names are next to the lines, or in a margin.  A given width is divided
 * among panels; a legend above them, for all, has the names.  Space for long numbers of y axes
 * makes panels lower, which may change the numbers; hence the loop, in which l.left only grows.
 */
static struct layout
layout_of(const struct plot *p)
{
	struct layout l = { p->n < PER_ROW ? p->n : PER_ROW, PLOT_AXIS_LEFT, WIDTH, HEIGHT,
			    p->n > 1 ? RIGHT : RIGHT_ALONE, false };
	double left;

	do {
		left = l.left;
		if (p->width > 0)
			fit_width(&l, p);
		for (size_t i = 0; i < p->n; i++) {
			const struct plot_axis y = y_axis(&p->panel[i], l.height);

			l.left = fmax(l.left, plot_axis_left(&y));
		}
	} while (l.left > left);
	return l;
}

/* --- scales --- */

static void
cover_x(struct plot_axis *a, const struct plot_panel *panel)
{
	for (size_t k = 0; k < panel->n; k++)
		for (size_t j = 0; j < panel->series[k].n; j++)
			if (panel->series[k].kind != PLOT_LEVEL)
				plot_axis_cover(a, panel->series[k].point[j].x);
}

/* A panel with nothing but levels has the axis of all panels. */
static struct plot_axis
x_axis(const struct plot *p, const struct plot_panel *panel, double width)
{
	struct plot_axis a = plot_axis_begin(p->log_x);

	cover_x(&a, panel);
	if (a.low > a.high)
		for (size_t i = 0; i < p->n; i++)
			cover_x(&a, &p->panel[i]);
	if (a.low > a.high)
		plot_axis_cover(&a, 1);
	plot_axis_end(&a, width, false);
	return a;
}

static struct plot_axis
y_axis(const struct plot_panel *p, double height)
{
	struct plot_axis a = plot_axis_begin(false);

	for (size_t k = 0; k < p->n; k++)
		for (size_t j = 0; j < p->series[k].n; j++) {
			plot_axis_cover(&a, p->series[k].point[j].y);
			plot_axis_cover(&a, p->series[k].point[j].low);
			plot_axis_cover(&a, p->series[k].point[j].high);
		}
	plot_axis_end(&a, height, true);
	return a;
}

static double
plot_x_of(const struct drawing *d, double v)
{
	return plot_axis_at(&d->x, v);
}

static double
y_of(const struct drawing *d, double v)
{
	return plot_axis_at(&d->y, v);
}

/* --- series --- */

static void
draw_line(const struct drawing *d, const struct plot_series *s)
{
	svg_path(d->out, plot_style_color(d->panel, s), 1.8, "none");
	for (size_t i = 0; i < s->n; i++)
		svg_at(d->out, i ? 'L' : 'M', plot_x_of(d, s->point[i].x), y_of(d, s->point[i].y));
	plot_style_end(d->out, s);
}

static bool
is_at(const struct drawing *d, const struct plot_series *s, double x)
{
	for (size_t i = 0; i < s->n && s->kind == PLOT_LINE; i++)
		if (fabs(plot_x_of(d, s->point[i].x) - x) < 1)
			return true;
	return false;
}

/* The place of a point of a line.  Lines of one point with the same x are drawn side by side. */
static double
place_of_point(const struct drawing *d, const struct plot_series *s, size_t i)
{
	const double x = plot_x_of(d, s->point[i].x);
	int before = 0;

	if (s->kind != PLOT_LINE || s->n > 1)
		return x;
	for (const struct plot_series *o = d->panel->series; o < s; o++)
		before += is_at(d, o, x);
	return x + (before % 2 ? ASIDE : -ASIDE) * ((before + 1) / 2);
}

/*
 * Begins a group that shows the values of a point under the pointer; "</g>" must follow.
 * p->low is NAN without an interval.
 */
static void
begin_point(struct buf *out, const char *series, const struct plot_point *p)
{
	buf_add_str(out, "<g>\n<title>");
	svg_escape(out, series, strlen(series));
	buf_printf(out, ": %.6g, %.6g", p->x, p->y);
	if (!isnan(p->low))
		buf_printf(out, " [%.6g, %.6g]", p->low, p->high);
	buf_add_str(out, "</title>\n");
}

static void
draw_dots(const struct drawing *d, const struct plot_series *s, const char *color)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct plot_point *a = &s->point[i];
		const double x = place_of_point(d, s, i);
		const bool dot = s->kind == PLOT_POINTS || s->n <= PLOT_MAX_DOTS;

		if (!dot && isnan(a->low))
			continue;
		begin_point(d->out, s->name, a);
		if (!isnan(a->low))
			svg_line(d->out, color, 1, x, y_of(d, a->low), x, y_of(d, a->high));
		if (dot)
			svg_mark(d->out, plot_style_mark(s), color, x, y_of(d, a->y));
		buf_add_str(d->out, "</g>\n");
	}
}

static void
draw_band(const struct drawing *d, const struct plot_series *s)
{
	buf_add_str(d->out, "<path fill=\"" PLOT_BAND_FILL "\" d=\"");
	for (size_t i = 0; i < s->n; i++)
		svg_at(d->out, i ? 'L' : 'M', plot_x_of(d, s->point[i].x),
		       y_of(d, s->point[i].high));
	for (size_t i = s->n; i--;)
		svg_at(d->out, 'L', plot_x_of(d, s->point[i].x), y_of(d, s->point[i].low));
	buf_add_str(d->out, "z\"/>\n");
	draw_line(d, s);
}

static void
draw_series(const struct drawing *d, const struct plot_series *s)
{
	const char *color = plot_style_color(d->panel, s);

	if (s->kind == PLOT_LEVEL) {
		const double y = y_of(d, s->point[0].y);

		svg_path(d->out, color, 1.2, "none");
		svg_at(d->out, 'M', d->box.left, y);
		svg_at(d->out, 'L', d->box.right, y);
		plot_style_end(d->out, s);
		return;
	}
	if (s->kind == PLOT_BAND)
		draw_band(d, s);
	if (s->kind == PLOT_LINE)
		draw_line(d, s);
	if (s->kind != PLOT_BAND)
		draw_dots(d, s, color);
}

/* --- labels of series --- */

static int
from_left(const void *a, const void *b)
{
	const struct plot_spot *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

static struct plot_spot
spot_of_level(const struct drawing *d, const struct plot_series *s, size_t i)
{
	const double width = d->box.right - d->box.left;

	return (struct plot_spot){
		.x = d->box.left + width * (double)i / (LEVEL_SPOTS - 1),
		.y = y_of(d, s->point[0].y), .top = NAN, .bottom = NAN
	};
}

static struct plot_spot
spot_of_point(const struct drawing *d, const struct plot_series *s, size_t i)
{
	const bool bar = s->kind == PLOT_LINE;

	return (struct plot_spot){
		.x = place_of_point(d, s, i), .y = y_of(d, s->point[i].y),
		.top = bar ? y_of(d, s->point[i].high) : NAN,
		.bottom = bar ? y_of(d, s->point[i].low) : NAN
	};
}

static void
track_series(const struct drawing *d, const struct plot_series *s, struct plot_track *t)
{
	const bool level = s->kind == PLOT_LEVEL;

	t->name = s->name;
	t->mark = s->kind == PLOT_POINTS ? SVG_DIAMOND_SIZE :
		s->n == 1 && !level ? SVG_DOT_SIZE : 0;
	t->n = level ? LEVEL_SPOTS : s->n;
	t->spot = xcalloc(t->n + 1, sizeof(*t->spot));
	for (size_t i = 0; i < t->n; i++)
		t->spot[i] = level ? spot_of_level(d, s, i) : spot_of_point(d, s, i);
	qsort(t->spot, t->n, sizeof(*t->spot), from_left);
}

static void
draw_name(const struct drawing *d, const struct plot_series *s, const struct plot_track *t)
{
	if (t->legend)
		plot_legend_sample(d->out, d->panel, s, t->x - PLOT_LABEL_GAP - PLOT_SAMPLE,
				   t->y - PLOT_LABEL_FONT / 3.0);
	svg_text(d->out, &(struct svg_text){
		.x = t->x, .y = t->y, .size = PLOT_LABEL_FONT, .halo = true,
		.anchor = t->margin ? SVG_START : SVG_MIDDLE,
		.fill = plot_style_color(d->panel, s) }, s->name);
}

/* Places the names of the current panel; false if the legend has no room in the margin. */
static bool
place_names(const struct drawing *d, struct plot_track *t)
{
	const struct plot_panel *panel = d->panel;
	bool room;

	for (size_t i = 0; i < panel->n; i++)
		track_series(d, &panel->series[i], &t[i]);
	room = plot_labels_place(t, panel->n, &d->box, d->layout.right);
	for (size_t i = 0; i < panel->n; i++)
		free(t[i].spot);
	return room;
}

/* Draws the names of the current panel.  Returns the height of the legend below it. */
static double
draw_names(const struct drawing *d)
{
	const struct plot_panel *panel = d->panel;
	struct plot_track *t = xcalloc(panel->n + 1, sizeof(*t));
	struct plot_legend legend = { 0 };
	double height;

	place_names(d, t);
	for (size_t i = 0; i < panel->n; i++)
		if (t[i].legend && d->layout.below)
			plot_legend_add(&legend, panel, &panel->series[i]);
		else
			draw_name(d, &panel->series[i], &t[i]);
	height = plot_legend_draw(d->out, &legend, d->box.left - PLOT_AXIS_LEFT + 16,
				  d->box.bottom + PLOT_AXIS_BELOW,
				  PLOT_AXIS_LEFT - 16 + d->layout.width);
	plot_legend_release(&legend);
	free(t);
	return height;
}

/* --- the drawing --- */

/* Makes panel `i` the current one.  `top` is the upper end of its row. */
static void
enter_panel(struct drawing *d, size_t i, double top)
{
	const struct layout *l = &d->layout;
	const double column = l->left + l->width + l->right;
	const double left = l->left + (double)(i % l->per_row) * column;

	d->panel = &d->p->panel[i];
	d->box = (struct plot_box){ left, top + TOP, left + l->width, top + TOP + l->height };
	d->x = x_axis(d->p, d->panel, l->width);
	d->x.at_low = d->box.left;
	d->x.at_high = d->box.right;
	d->y = y_axis(d->panel, l->height);
	d->y.at_low = d->box.bottom;
	d->y.at_high = d->box.top;
	d->y.left = l->left;
}

/* Draws the current panel.  Returns the height of the legend below it. */
static double
plot_draw_panel(const struct drawing *d)
{
	static const enum plot_kind order[] = { PLOT_BAND, PLOT_LEVEL, PLOT_LINE, PLOT_POINTS };
	const struct plot_panel *panel = d->panel;

	plot_axes_draw(d->out, &d->box, &d->x, &d->y, d->p->x_label, panel->label);
	for (size_t j = 0; j < sizeof(order) / sizeof(*order); j++)
		for (size_t k = 0; k < panel->n; k++)
			if (panel->series[k].kind == order[j])
				draw_series(d, &panel->series[k]);
	return d->p->width <= 0 ? draw_names(d) : 0;
}

/* Puts legends below the panels if the margin of one has no room for its legend. */
static void
choose_place_of_legends(struct drawing *d)
{
	bool room = true;

	for (size_t i = 0; i < d->p->n && room; i++) {
		struct plot_track *t = xcalloc(d->p->panel[i].n + 1, sizeof(*t));

		enter_panel(d, i, 0);
		room = place_names(d, t);
		free(t);
	}
	if (room)
		return;
	d->layout.below = true;
	d->layout.width = WIDTH + RIGHT - PLOT_AXIS_RIGHT;
	d->layout.right = PLOT_AXIS_RIGHT;
}

/* Draws the legend of all panels.  Returns the lower end. */
static double
draw_legend_of_all(const struct drawing *d)
{
	struct plot_legend legend = { 0 };
	double height;

	for (size_t i = 0; i < d->p->n; i++)
		for (size_t k = 0; k < d->p->panel[i].n; k++)
			plot_legend_add(&legend, &d->p->panel[i], &d->p->panel[i].series[k]);
	height = plot_legend_draw(d->out, &legend, PLOT_LABEL_GAP, PLOT_LABEL_GAP,
				  d->p->width - 2 * PLOT_LABEL_GAP);
	plot_legend_release(&legend);
	return height;
}

void
plot_svg(struct buf *out, const struct plot *p)
{
	struct buf body = { 0 };
	struct drawing d = { .out = &body, .p = p, .layout = layout_of(p) };
	double y = 0, legend = 0;

	if (p->width > 0)
		y = draw_legend_of_all(&d);
	else
		choose_place_of_legends(&d);
	for (size_t i = 0; i < p->n; i++) {
		enter_panel(&d, i, y);
		legend = fmax(legend, plot_draw_panel(&d));
		if (i + 1 == p->n || (i + 1) % d.layout.per_row == 0) {
			y += TOP + d.layout.height + PLOT_AXIS_BELOW + legend;
			legend = 0;
		}
	}
	svg_begin(out, (double)d.layout.per_row *
		  (d.layout.left + d.layout.width + d.layout.right), y, p->title);
	buf_add_str(out, "<g class=\"themed\">\n");
	buf_add(out, body.data, body.n);
	buf_add_str(out, "</g>\n");
	svg_end(out);
	buf_release(&body);
}
