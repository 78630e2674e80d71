/* plot: line plots; see plot.h. */
#include "draw/plot.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/plot-labels.h"
#include "draw/plot-marks.h"
#include "draw/svg.h"
#include "draw/ticks.h"

#define INK "#222"
#define SOFT "#667"
#define PALE "#ddd"
#define BAND "#dde"

enum { WIDTH = 400, HEIGHT = 290, LEFT = 64, RIGHT = 160, RIGHT_ALONE = 320, TOP = 18,
       BOTTOM = 56, PER_ROW = 2, TICKS = 6, MAX_DOTS = 60, LEVEL_SPOTS = 9, SMALL = 11, ASIDE = 7 };

/*
 * Dark enough for text on white.  Dashes and labels distinguish lines without color, and the shapes
 * of their points those with the same color.
 */
static const char *const colors[] = { "#00619e", "#b34700", "#00775a", "#a0447a", "#7a6000",
				       "#5546b3", "#8c3b2a", "#2f6d7e" };
static const char *const dashes[] = { "", "7 3", "2 3", "9 3 2 3" };
enum { N_SAME = 4, N_COLORS = sizeof(colors) / sizeof(*colors),
       N_DASHES = sizeof(dashes) / sizeof(*dashes) };

struct scale { double low, high, step; };	/* of log10(x) on a logarithmic axis */

struct drawing {
	struct buf *out;
	const struct plot *p;
	const struct plot_panel *panel;	/* the current one */
	struct scale x, y;
	double right;			/* width of the margin for labels */
	struct plot_box box;		/* of the current panel */
};

/* --- scales --- */

static void
plot_widen(struct scale *s, double v)
{
	if (isnan(v))
		return;
	s->low = fmin(s->low, v);
	s->high = fmax(s->high, v);
}

static void
close_scale(struct scale *s, bool round)
{
	if (s->high <= s->low) {
		s->low -= 0.5;
		s->high += 0.5;
	}
	s->step = tick_step(s->high - s->low, TICKS);
	if (!round)
		return;
	s->low = floor(s->low / s->step + 1e-9) * s->step;
	s->high = ceil(s->high / s->step - 1e-9) * s->step;
}

/* The place of a value on the x axis. */
static double
plot_place_of(const struct plot *p, double x)
{
	return p->log_x ? log10(x) : x;
}

static struct scale
x_scale(const struct plot *p)
{
	struct scale s = { INFINITY, -INFINITY, 1 };

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->panel[i].n; k++)
			for (size_t j = 0; j < p->panel[i].series[k].n; j++)
				if (p->panel[i].series[k].kind != PLOT_LEVEL)
					plot_widen(&s, plot_place_of(p,
						p->panel[i].series[k].point[j].x));
	close_scale(&s, false);
	return s;
}

static struct scale
y_scale(const struct plot_panel *p)
{
	struct scale s = { INFINITY, -INFINITY, 1 };

	for (size_t k = 0; k < p->n; k++)
		for (size_t j = 0; j < p->series[k].n; j++) {
			plot_widen(&s, p->series[k].point[j].y);
			plot_widen(&s, p->series[k].point[j].low);
			plot_widen(&s, p->series[k].point[j].high);
		}
	close_scale(&s, true);
	return s;
}

static double
plot_x_of(const struct drawing *d, double v)
{
	const double width = d->box.right - d->box.left;

	return d->box.left + width * (plot_place_of(d->p, v) - d->x.low) / (d->x.high - d->x.low);
}

static double
y_of(const struct drawing *d, double v)
{
	const double height = d->box.bottom - d->box.top;

	return d->box.bottom - height * (v - d->y.low) / (d->y.high - d->y.low);
}

/* --- axes --- */

static void
tick_text(char *text, size_t n, double v, double step)
{
	snprintf(text, n, "%.*f", tick_digits(step), fabs(v) < step / 2 ? 0 : v);
}

/*
 * Returns the number of ticks of a scale and sets *first to the value of the first.  There are none
 * if the step is lost in the rounding of large values.
 */
static int
ticks_of(const struct scale *s, double *first)
{
	const double n = floor((s->high - s->low) / s->step + 1e-6);

	*first = ceil(s->low / s->step - 1e-9) * s->step;
	return *first + s->step > *first && n <= 2 * TICKS
		? (int)floor((s->high - *first) / s->step + 1e-6) + 1 : 0;
}

static void
draw_x_tick(const struct drawing *d, double v, double step)
{
	const double x = plot_x_of(d, v), y = d->box.bottom;
	char text[40];

	svg_line(d->out, SOFT, 1, x, y, x, y + 4);
	tick_text(text, sizeof(text), v, step);
	svg_text(d->out, &(struct svg_text){ .x = x, .y = y + 17, .size = SMALL,
		 .anchor = SVG_MIDDLE, .fill = SOFT }, text);
}

/*
 * 1, 2 and 5 times powers of ten; only the powers if these are many.  A short axis has the ticks of
 * a linear one.
 */
static void
draw_log_ticks(const struct drawing *d)
{
	static const int heads[] = { 1, 2, 5 };
	const double decades = d->x.high - d->x.low;
	const int n = decades > 3 ? 1 : 3, by = decades > 12 ? (int)ceil(decades / 12) : 1;
	struct scale linear = { pow(10, d->x.low), pow(10, d->x.high), 1 };
	double first;

	if (decades < 0.5) {
		linear.step = tick_step(linear.high - linear.low, TICKS / 2);
		for (int i = 0; i < ticks_of(&linear, &first); i++)
			draw_x_tick(d, first + i * linear.step, linear.step);
		return;
	}
	for (int k = (int)floor(d->x.low); k <= d->x.high; k += by)
		for (int i = 0; i < n; i++) {
			const double v = heads[i] * pow(10, k), at = log10(v);

			if (at >= d->x.low - 1e-9 && at <= d->x.high + 1e-9)
				draw_x_tick(d, v, pow(10, k));
		}
}

static void
draw_x_ticks(const struct drawing *d)
{
	double first;
	const int n = d->p->log_x ? 0 : ticks_of(&d->x, &first);

	if (d->p->log_x)
		draw_log_ticks(d);
	for (int i = 0; i < n; i++)
		draw_x_tick(d, first + i * d->x.step, d->x.step);
}

static void
draw_axes(const struct drawing *d, const char *label)
{
	const struct plot_box *b = &d->box;
	char text[40];
	double first;
	const int n = ticks_of(&d->y, &first);

	for (int i = 0; i < n; i++) {
		const double v = first + i * d->y.step, y = y_of(d, v);

		svg_line(d->out, PALE, 1, b->left, y, b->right, y);
		tick_text(text, sizeof(text), v, d->y.step);
		svg_text(d->out, &(struct svg_text){ .x = b->left - 6, .y = y + 4, .size = SMALL,
			 .anchor = SVG_END, .fill = SOFT }, text);
	}
	draw_x_ticks(d);
	svg_line(d->out, SOFT, 1, b->left, b->bottom, b->right, b->bottom);
	svg_text(d->out, &(struct svg_text){
		 .x = (b->left + b->right) / 2, .y = b->bottom + 36, .size = 12,
		 .anchor = SVG_MIDDLE, .fill = INK }, d->p->x_label);
	svg_text(d->out, &(struct svg_text){
		 .x = b->left - LEFT + 16, .y = (b->top + b->bottom) / 2, .size = 12,
		 .anchor = SVG_MIDDLE, .fill = INK, .upward = true }, label);
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

static enum plot_mark
mark_of(const struct plot_series *s)
{
	return s->kind == PLOT_LINE ? s->number / N_COLORS % PLOT_LINE_MARKS
	       : s->kind == PLOT_POINTS ? PLOT_DIAMOND : PLOT_CIRCLE;
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
		plot_mark_values(d->out, s->name, a);
		if (!isnan(a->low))
			svg_line(d->out, color, 1, x, y_of(d, a->low), x, y_of(d, a->high));
		if (dot)
			plot_mark(d->out, mark_of(s), color, x, y_of(d, a->y));
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
	if (s->kind == PLOT_BAND) {
		draw_band(d, s);
		return;
	}
	if (s->kind == PLOT_POINTS) {
		draw_dots(d, s, color);
		return;
	}
	draw_line(d, s);
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
	t->mark = s->kind == PLOT_POINTS ? PLOT_DIAMOND_SIZE :
		s->n == 1 && !level ? PLOT_DOT_SIZE : 0;
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
	if (s->kind == PLOT_POINTS) {
		plot_mark(d->out, PLOT_DIAMOND, plot_color_of(d, s), x + PLOT_SAMPLE / 2.0, y);
		return;
	}
	if (s->kind == PLOT_LINE && s->n == 1) {
		plot_mark(d->out, mark_of(s), plot_color_of(d, s), x + PLOT_SAMPLE / 2.0, y);
		return;
	}
	svg_path(d->out, plot_color_of(d, s), 1.8, "none");
	svg_at(d->out, 'M', x, y);
	svg_at(d->out, 'L', x + PLOT_SAMPLE, y);
	add_dash(d->out, dash_of(s));
	if (mark_of(s) != PLOT_CIRCLE && s->n <= MAX_DOTS)
		plot_mark(d->out, mark_of(s), plot_color_of(d, s), x + PLOT_SAMPLE / 2.0, y);
}

static void
draw_name(const struct drawing *d, const struct plot_series *s, const struct plot_track *t)
{
	if (t->legend)
		draw_sample(d, s, t);
	svg_text(d->out, &(struct svg_text){
		.x = t->x, .y = t->y, .size = PLOT_LABEL_FONT, .halo = true,
		.anchor = t->margin ? SVG_START : SVG_MIDDLE, .fill = plot_color_of(d, s),
		.max_em = t->margin ? (d->box.right + d->right - t->x) / PLOT_LABEL_FONT : 0
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

/* --- the drawing --- */

static void
plot_draw_panel(struct drawing *d, size_t i)
{
	const struct plot_panel *panel = &d->p->panel[i];
	const double left = LEFT + (double)(i % PER_ROW) * (LEFT + WIDTH + d->right);
	const double top = TOP + (double)(i / PER_ROW) * (TOP + HEIGHT + BOTTOM);

	d->box = (struct plot_box){ left, top, left + WIDTH, top + HEIGHT };
	d->y = y_scale(panel);
	d->panel = panel;
	draw_axes(d, panel->label);
	for (int kind = PLOT_BAND; kind <= PLOT_LEVEL; kind++)
		for (size_t k = 0; k < panel->n; k++)
			if ((int)panel->series[k].kind == kind)
				draw_series(d, &panel->series[k]);
	for (int kind = PLOT_LINE; kind <= PLOT_POINTS; kind += PLOT_POINTS - PLOT_LINE)
		for (size_t k = 0; k < panel->n; k++)
			if ((int)panel->series[k].kind == kind)
				draw_series(d, &panel->series[k]);
	draw_names(d, panel);
}

void
plot_svg(struct buf *out, const struct plot *p)
{
	struct drawing d = {
		.out = out, .p = p, .x = x_scale(p), .right = p->n > 1 ? RIGHT : RIGHT_ALONE
	};
	const double columns = p->n < PER_ROW ? (double)p->n : PER_ROW;
	const double rows = (double)((p->n + PER_ROW - 1) / PER_ROW);

	svg_begin(out, columns * (LEFT + WIDTH + d.right), rows * (TOP + HEIGHT + BOTTOM),
		  p->title);
	buf_add_str(out, "<g class=\"themed\">\n");
	for (size_t i = 0; i < p->n; i++)
		plot_draw_panel(&d, i);
	buf_add_str(out, "</g>\n");
	svg_end(out);
}
