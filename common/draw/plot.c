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
#include "draw/svg.h"

#define INK "#222"
#define SOFT "#667"
#define BAND "#dde"

enum { WIDTH = 400, HEIGHT = 290, RIGHT = 160, RIGHT_ALONE = 320, TOP = 18, PER_ROW = 2 };
enum { MIN_WIDTH = 130, MIN_HEIGHT = 150, RIGHT_BARE = 14 };	/* if the width is given */
enum { MAX_DOTS = 60, LEVEL_SPOTS = 9, ASIDE = 7, LEGEND_ROW = 18 };

/*
 * Dark enough for text on white.  Dashes and labels distinguish lines without color, and the shapes
 * of their points those with the same color.
 */
static const char *const colors[] = { "#00619e", "#b34700", "#00775a", "#a0447a", "#7a6000",
				       "#5546b3", "#8c3b2a", "#2f6d7e" };
static const char *const dashes[] = { "", "7 3", "2 3", "9 3 2 3" };
enum { N_SAME = 4, N_COLORS = sizeof(colors) / sizeof(*colors),
       N_DASHES = sizeof(dashes) / sizeof(*dashes) };

struct layout {
	size_t per_row;			/* panels */
	double width, height;		/* of a panel */
	double right;			/* width of the margin for labels */
	double top;			/* of the first row of panels */
};

struct drawing {
	struct buf *out;
	const struct plot *p;
	const struct plot_panel *panel;	/* the current one */
	struct layout layout;
	struct plot_axis x, y;
	struct plot_box box;		/* of the current panel */
};

/* --- layout --- */

static double
label_width(const char *name)
{
	return PLOT_LABEL_FONT * measure_width(name, strlen(name));
}

/*
 * Without a given width, names are next to the lines, or in a margin.  A given width is divided
 * among as many panels as fit; a legend above them, for all, has the names.
 */
static struct layout
layout_of(const struct plot *p)
{
	const double columns = floor(p->width / (PLOT_AXIS_LEFT + MIN_WIDTH + RIGHT_BARE));
	struct layout l = { p->n < PER_ROW ? p->n : PER_ROW, WIDTH, HEIGHT,
			    p->n > 1 ? RIGHT : RIGHT_ALONE, TOP };

	if (p->width <= 0)
		return l;
	l.per_row = columns < 2 ? 1 : columns < (double)p->n ? (size_t)columns : p->n;
	l.right = RIGHT_BARE;
	l.width = fmax(MIN_WIDTH, p->width / (double)l.per_row - PLOT_AXIS_LEFT - l.right);
	l.height = fmin(HEIGHT, fmax(MIN_HEIGHT, l.width * HEIGHT / WIDTH));
	return l;
}

/* --- scales --- */

static struct plot_axis
x_axis(const struct plot *p, double width)
{
	struct plot_axis a = plot_axis_begin(p->log_x);

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->panel[i].n; k++)
			for (size_t j = 0; j < p->panel[i].series[k].n; j++)
				if (p->panel[i].series[k].kind != PLOT_LEVEL)
					plot_axis_cover(&a, p->panel[i].series[k].point[j].x);
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

static const char *
plot_color_of(const struct drawing *d, const struct plot_series *s)
{
	switch (s->kind) {
	case PLOT_LINE: return colors[s->number % N_COLORS];
	case PLOT_BAND: return SOFT;
	case PLOT_LEVEL: return "#a3211a";
	case PLOT_POINTS: break;
	}
	while (s-- > d->panel->series)		/* the line before the points */
		if (s->kind == PLOT_LINE)
			return colors[s->number % N_COLORS];
	return INK;
}

static const char *
dash_of(const struct plot_series *s)
{
	return s->kind == PLOT_LINE ? dashes[s->number / N_SAME % N_DASHES]
				    : s->kind == PLOT_BAND ? "5 4" : "";
}

/* Ends a path after its points. */
static void
add_dash(struct buf *out, const char *dash)
{
	buf_add_char(out, '"');
	if (*dash)
		buf_printf(out, " stroke-dasharray=\"%s\"", dash);
	buf_add_str(out, "/>\n");
}

static void
draw_line(const struct drawing *d, const struct plot_series *s)
{
	svg_path(d->out, plot_color_of(d, s), 1.8, "none");
	for (size_t i = 0; i < s->n; i++)
		svg_at(d->out, i ? 'L' : 'M', plot_x_of(d, s->point[i].x), y_of(d, s->point[i].y));
	add_dash(d->out, dash_of(s));
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

static enum svg_mark
mark_of(const struct plot_series *s)
{
	return s->kind == PLOT_LINE ? s->number / N_COLORS % SVG_LINE_MARKS
	       : s->kind == PLOT_POINTS ? SVG_DIAMOND : SVG_CIRCLE;
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
		const bool dot = s->kind == PLOT_POINTS || s->n <= MAX_DOTS;

		if (!dot && isnan(a->low))
			continue;
		begin_point(d->out, s->name, a);
		if (!isnan(a->low))
			svg_line(d->out, color, 1, x, y_of(d, a->low), x, y_of(d, a->high));
		if (dot)
			svg_mark(d->out, mark_of(s), color, x, y_of(d, a->y));
		buf_add_str(d->out, "</g>\n");
	}
}

static void
draw_band(const struct drawing *d, const struct plot_series *s)
{
	buf_add_str(d->out, "<path fill=\"" BAND "\" d=\"");
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
	const char *color = plot_color_of(d, s);

	if (s->kind == PLOT_LEVEL) {
		const double y = y_of(d, s->point[0].y);

		svg_line(d->out, color, 1.2, d->box.left, y, d->box.right, y);
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

/* Draws a sample of the line before its label in the legend. */
static void
draw_sample(const struct drawing *d, const struct plot_series *s, const struct plot_track *t)
{
	const double x = t->x - PLOT_LABEL_GAP - PLOT_SAMPLE, y = t->y - PLOT_LABEL_FONT / 3.0;

	if (s->kind == PLOT_BAND) {
		buf_add_str(d->out, "<path fill=\"" BAND "\" d=\"");
		svg_at(d->out, 'M', x, y - 5);
		svg_at(d->out, 'L', x + PLOT_SAMPLE, y - 5);
		svg_at(d->out, 'L', x + PLOT_SAMPLE, y + 5);
		svg_at(d->out, 'L', x, y + 5);
		buf_add_str(d->out, "z\"/>\n");
	}
	if (s->kind == PLOT_POINTS || (s->kind == PLOT_LINE && s->n == 1)) {
		svg_mark(d->out, mark_of(s), plot_color_of(d, s), x + PLOT_SAMPLE / 2.0, y);
		return;
	}
	svg_path(d->out, plot_color_of(d, s), 1.8, "none");
	svg_at(d->out, 'M', x, y);
	svg_at(d->out, 'L', x + PLOT_SAMPLE, y);
	add_dash(d->out, dash_of(s));
	if (mark_of(s) != SVG_CIRCLE && s->n <= MAX_DOTS)
		svg_mark(d->out, mark_of(s), plot_color_of(d, s), x + PLOT_SAMPLE / 2.0, y);
}

static void
draw_name(const struct drawing *d, const struct plot_series *s, const struct plot_track *t)
{
	if (t->legend)
		draw_sample(d, s, t);
	svg_text(d->out, &(struct svg_text){
		.x = t->x, .y = t->y, .size = PLOT_LABEL_FONT, .halo = true,
		.anchor = t->margin ? SVG_START : SVG_MIDDLE, .fill = plot_color_of(d, s),
		.max_em = t->margin ? (d->box.right + d->layout.right - t->x) / PLOT_LABEL_FONT : 0
	}, t->name);
}

static void
draw_names(const struct drawing *d, const struct plot_panel *panel)
{
	struct plot_track *t = xcalloc(panel->n + 1, sizeof(*t));

	for (size_t i = 0; i < panel->n; i++)
		track_series(d, &panel->series[i], &t[i]);
	plot_labels_place(t, panel->n, &d->box);
	for (size_t i = 0; i < panel->n; i++) {
		draw_name(d, &panel->series[i], &t[i]);
		free(t[i].spot);
	}
	free(t);
}

/* --- the legend of a figure of a given width --- */

static bool
is_in_legend(const struct drawing *d, const struct plot_series *s)
{
	for (const struct plot_panel *panel = d->p->panel; panel < d->panel; panel++)
		for (size_t k = 0; k < panel->n; k++)
			if (panel->series[k].kind == s->kind &&
			    !strcmp(panel->series[k].name, s->name))
				return true;
	return false;
}

/* Adds a name to the legend, in a new row if t's has no room; t->x is where the next begins. */
static void
add_to_legend(const struct drawing *d, const struct plot_series *s, struct plot_track *t)
{
	const double begin = t->x, n = PLOT_SAMPLE + PLOT_LABEL_GAP + label_width(s->name);

	t->name = s->name;
	t->x += PLOT_SAMPLE + PLOT_LABEL_GAP;
	if (begin > PLOT_LABEL_GAP && begin + n > d->p->width) {
		t->x = PLOT_LABEL_GAP + PLOT_SAMPLE + PLOT_LABEL_GAP;
		t->y += LEGEND_ROW;
	}
	draw_name(d, s, t);
	t->x += label_width(s->name) + 2 * PLOT_LABEL_GAP;
}

/* Draws each name once; the panels then begin below. */
static void
draw_legend(struct drawing *d)
{
	struct plot_track t = { .x = PLOT_LABEL_GAP, .y = TOP, .margin = true, .legend = true };

	d->box.right = d->p->width - d->layout.right;
	for (size_t i = 0; i < d->p->n; i++) {
		d->panel = &d->p->panel[i];
		for (size_t k = 0; k < d->panel->n; k++)
			if (!is_in_legend(d, &d->panel->series[k]))
				add_to_legend(d, &d->panel->series[k], &t);
	}
	d->layout.top = t.y + LEGEND_ROW;
}

/* --- the drawing --- */

static void
plot_draw_panel(struct drawing *d, size_t i)
{
	static const enum plot_kind order[] = { PLOT_BAND, PLOT_LEVEL, PLOT_LINE, PLOT_POINTS };
	const struct plot_panel *panel = &d->p->panel[i];
	const struct layout *l = &d->layout;
	const double column = PLOT_AXIS_LEFT + l->width + l->right;
	const double row = TOP + l->height + PLOT_AXIS_BELOW;
	const double left = PLOT_AXIS_LEFT + (double)(i % l->per_row) * column;
	const double top = l->top + (double)(i / l->per_row) * row;

	d->box = (struct plot_box){ left, top, left + l->width, top + l->height };
	d->x.at_low = d->box.left;
	d->x.at_high = d->box.right;
	d->y = y_axis(panel, l->height);
	d->y.at_low = d->box.bottom;
	d->y.at_high = d->box.top;
	d->panel = panel;
	plot_axes_draw(d->out, &d->box, &d->x, &d->y, d->p->x_label, panel->label);
	for (size_t j = 0; j < sizeof(order) / sizeof(*order); j++)
		for (size_t k = 0; k < panel->n; k++)
			if (panel->series[k].kind == order[j])
				draw_series(d, &panel->series[k]);
	if (d->p->width <= 0)
		draw_names(d, panel);
}

void
plot_svg(struct buf *out, const struct plot *p)
{
	struct drawing d = { .p = p, .layout = layout_of(p) };
	const struct layout *l = &d.layout;
	const size_t rows = (p->n + l->per_row - 1) / l->per_row;
	struct buf legend = { 0 };

	d.x = x_axis(p, l->width);
	d.out = &legend;
	if (p->width > 0)
		draw_legend(&d);
	d.out = out;
	svg_begin(out, (double)l->per_row * (PLOT_AXIS_LEFT + l->width + l->right),
		  l->top - TOP + (double)rows * (TOP + l->height + PLOT_AXIS_BELOW), p->title);
	buf_add_str(out, "<g class=\"themed\">\n");
	buf_add(out, legend.data, legend.n);
	for (size_t i = 0; i < p->n; i++)
		plot_draw_panel(&d, i);
	buf_add_str(out, "</g>\n");
	svg_end(out);
	buf_release(&legend);
}
