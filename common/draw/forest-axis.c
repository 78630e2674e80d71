/* forest-axis: see forest-axis.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/forest-axis.h"
#include "draw/measure.h"
#include "draw/svg.h"
#include "draw/ticks.h"

enum { TICKS = 4 };

static const char *const kind_colors[] = { "#00619e", "#b34700", "#667" };

/* --- scales --- */

static void
forest_widen(double *low, double *high, double v)
{
	*low = fmin(*low, v);
	*high = fmax(*high, v);
}

/* The values of a panel: the points, what is compared with them, and 0. */
static void
widen_by_points(const struct forest_block *b, int k, double *low, double *high)
{
	for (size_t i = 0; i < b->n_rows; i++)
		for (int j = 0; j < FOREST_POINTS; j++) {
			forest_widen(low, high, b->row[i].at[k][j].value);
			forest_widen(low, high, b->row[i].at[k][j].other);
			forest_widen(low, high, b->row[i].at[k][j].margin);
		}
}

/*
 * The farther end of an interval of a panel, where that is nearest to 0; INFINITY without
 * intervals.
 */
static double
nearest_interval(const struct forest_block *b, int k)
{
	double nearest = INFINITY;

	for (size_t i = 0; i < b->n_rows; i++)
		for (int j = 0; j < FOREST_POINTS; j++) {
			const struct forest_point *p = &b->row[i].at[k][j];

			nearest = fmin(nearest, fmax(fabs(p->low), fabs(p->high)));
		}
	return nearest;
}

static void
widen_by_intervals(const struct forest_block *b, int k, double limit, double *low, double *high)
{
	for (size_t i = 0; i < b->n_rows; i++)
		for (int j = 0; j < FOREST_POINTS; j++) {
			const struct forest_point *p = &b->row[i].at[k][j];

			if (isnan(p->low))
				continue;
			forest_widen(low, high, fmax(p->low, -limit));
			forest_widen(low, high, fmin(p->high, limit));
		}
}

struct forest_axis
forest_axis_of(const struct forest_block *b, int k, double left, double width)
{
	struct forest_axis a = { .left = left, .width = width, .panel = &b->panel[k] };
	double low = 0, high = 0, nearest = INFINITY, limit;

	for (int i = 0; i < FOREST_PANELS; i++)
		if (i == k || (b->shared && b->panel[i].label)) {
			widen_by_points(b, i, &low, &high);
			nearest = fmin(nearest, nearest_interval(b, i));
		}
	/* If all differences are close to 0, at least one interval is drawn as a whole. */
	limit = fmax(1.5 * fmax(high, -low), nearest);
	for (int i = 0; i < FOREST_PANELS; i++)
		if (i == k || (b->shared && b->panel[i].label))
			widen_by_intervals(b, i, limit, &low, &high);
	if (high - low <= 0)
		high = 1;
	a.step = tick_step(high - low, TICKS);
	a.low = floor(low / a.step + 1e-9) * a.step;
	a.high = ceil(high / a.step - 1e-9) * a.step;
	return a;
}

static double
x_of(const struct forest_axis *a, double v)
{
	const double share = (v - a->low) / (a->high - a->low);

	return a->left + a->width * (a->panel->reversed ? 1 - share : share);
}

/* --- axes --- */

static void
axis_text(struct buf *out, double x, double y, enum svg_anchor anchor, const char *fill,
	  const char *text)
{
	svg_text(out, &(struct svg_text) {
		.x = x, .y = y, .size = 11, .anchor = anchor, .fill = fill }, text);
}

static void
forest_tick_text(char *text, size_t n, const struct forest_axis *a, int i, int origin)
{
	const double v = i == origin ? 0 : a->low + i * a->step;

	snprintf(text, n, i == origin ? "%.*f" : "%+.*f", tick_digits(a->step), v);
}

/* Values along the axis; if they are wider than their distance, only some, 0 always. */
static void
draw_ticks(struct buf *out, const struct forest_axis *a, double y)
{
	const int n = (int)lround((a->high - a->low) / a->step);
	const int origin = (int)lround(-a->low / a->step);
	double widest = 0;
	char text[40];
	int by;

	for (int i = 0; i <= n; i++) {
		forest_tick_text(text, sizeof(text), a, i, origin);
		widest = fmax(widest, 11 * measure_width(text, strlen(text)));
	}
	by = (int)fmax(1, ceil((widest + 6) / (a->width / n)));
	for (int i = 0; i <= n; i++) {
		if ((i - origin) % by)
			continue;
		forest_tick_text(text, sizeof(text), a, i, origin);
		axis_text(out, x_of(a, a->low + i * a->step), y, SVG_MIDDLE,
			  i == origin ? FOREST_INK : FOREST_SOFT, text);
	}
}

void
forest_head(struct buf *out, const struct forest_axis *a, double y)
{
	const double zero = x_of(a, 0), third = a->width / 3;

	svg_text(out, &(struct svg_text) {
		.x = a->left + a->width / 2, .y = y - 36, .size = 12, .anchor = SVG_MIDDLE,
		.fill = FOREST_INK, .bold = true }, a->panel->label);
	axis_text(out, zero, y - 19, zero < a->left + third ? SVG_START
		  : zero > a->left + 2 * third ? SVG_END : SVG_MIDDLE, FOREST_INK, a->panel->zero);
	draw_ticks(out, a, y - 5);
}

void
forest_foot(struct buf *out, const struct forest_axis *a, double y)
{
	const struct forest_panel *p = a->panel;
	struct buf text = { 0 };

	draw_ticks(out, a, y + 14);
	buf_printf(&text, "\xe2\x86\x90 %s", p->worse ? p->worse : "worse");
	axis_text(out, a->left, y + 31, SVG_START, FOREST_SOFT, text.data);
	buf_clear(&text);
	buf_printf(&text, "%s \xe2\x86\x92", p->better ? p->better : "better");
	axis_text(out, a->left + a->width, y + 31, SVG_END, FOREST_SOFT, text.data);
	buf_release(&text);
}

void
forest_lines(struct buf *out, const struct forest_axis *a, double top, double bottom)
{
	const int n = (int)lround((a->high - a->low) / a->step);
	const int origin = (int)lround(-a->low / a->step);

	for (int i = 0; i <= n; i++) {
		const double x = x_of(a, a->low + i * a->step);

		svg_line(out, i == origin ? FOREST_INK : "#ddd", i == origin ? 1.5 : 1, x, top, x,
			 bottom);
	}
}

/* --- points --- */

/* A bar at the end of an interval, or an arrow if it exceeds the axis. */
static void
draw_end(struct buf *out, const char *color, double x, double y, bool cut, int end)
{
	svg_path(out, color, 1.5, "none");
	svg_at(out, 'M', cut ? x - 5 * end : x, y - 4);
	if (cut)
		svg_at(out, 'L', x, y);
	svg_at(out, 'L', cut ? x - 5 * end : x, y + 4);
	buf_add_str(out, "\"/>\n");
}

static void
draw_interval(struct buf *out, const struct forest_axis *a, const struct forest_point *p, double y,
	      const char *color)
{
	const double low = fmax(p->low, a->low), high = fmin(p->high, a->high);
	const int side = a->panel->reversed ? -1 : 1;

	svg_line(out, color, 1.5, x_of(a, low), y, x_of(a, high), y);
	draw_end(out, color, x_of(a, low), y, p->low < a->low, -side);
	draw_end(out, color, x_of(a, high), y, p->high > a->high, side);
}

void
forest_shape(struct buf *out, int kind, const char *color, double x, double y)
{
	color = color ? color : kind_colors[kind];
	if (kind == 1) {		/* a triangle */
		svg_path(out, color, 0, color);
		svg_at(out, 'M', x - 4.5, y + 4);
		svg_at(out, 'L', x, y - 4.5);
		svg_at(out, 'L', x + 4.5, y + 4);
		buf_add_str(out, "z\"/>\n");
	} else if (kind == 2) {		/* a square */
		svg_path(out, color, 1.5, "#fff");
		svg_at(out, 'M', x - 3.5, y - 3.5);
		buf_add_str(out, "h7v7h-7z\"/>\n");
	} else {
		svg_circle(out, color, 4, x, y);
	}
}

void
forest_point_at(struct buf *out, const struct forest_axis *a, const struct forest_point *p,
		int kind, const char *color, double y)
{
	if (!isnan(p->margin))
		svg_line(out, FOREST_SOFT, 3, x_of(a, p->margin), y - 8, x_of(a, p->margin),
			 y + 8);
	if (!isnan(p->low))
		draw_interval(out, a, p, y, color ? color : kind_colors[kind]);
	if (!isnan(p->other))
		svg_diamond(out, FOREST_SOFT, 6, x_of(a, p->other), y);
	if (!isnan(p->value))
		forest_shape(out, kind, color, x_of(a, p->value), y);
}
