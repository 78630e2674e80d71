/* forest: forest plots; see forest.h. */
#include "draw/forest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "draw/measure.h"
#include "draw/svg.h"
#include "draw/ticks.h"

#define INK "#222"
#define SOFT "#667"

/* Sizes in pixels.  The points of a row are LABEL below its top, under the label. */
enum { FONT = 13, ROW = 42, LABEL = 28, TOP = 6, AXIS = 68, GAP = 18, BETWEEN = 56, PANEL = 230 };
enum { TICKS = 5 };

/* The scale of a panel. */
struct axis {
	double left;			/* of the panel, in pixels */
	double low, high, step;
	bool reversed;
};

/* --- scales --- */

static void
forest_widen(double *low, double *high, double v)
{
	*low = fmin(*low, v);
	*high = fmax(*high, v);
}

static struct axis
forest_axis_of(const struct forest *f, int k, double left)
{
	double low = 0, high = 0, limit;
	struct axis a = { .left = left, .reversed = f->panel[k].reversed };

	for (size_t i = 0; i < f->n_rows; i++) {
		forest_widen(&low, &high, f->row[i].at[k].value);
		forest_widen(&low, &high, f->row[i].at[k].other);
		forest_widen(&low, &high, f->row[i].at[k].margin);
	}
	limit = 1.5 * fmax(high, -low);
	for (size_t i = 0; i < f->n_rows; i++) {
		if (isnan(f->row[i].at[k].low))
			continue;
		forest_widen(&low, &high, fmax(f->row[i].at[k].low, -limit));
		forest_widen(&low, &high, fmin(f->row[i].at[k].high, limit));
	}
	if (high - low <= 0)
		high = 1;
	a.step = tick_step(high - low, TICKS);
	a.low = floor(low / a.step) * a.step;
	a.high = ceil(high / a.step) * a.step;
	return a;
}

static double
x_of(const struct axis *a, double v)
{
	const double share = (v - a->low) / (a->high - a->low);

	return a->left + PANEL * (a->reversed ? 1 - share : share);
}

/* --- elements --- */

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
draw_interval(struct buf *out, const struct axis *a, const struct forest_point *p, double y,
	      const char *color)
{
	const double low = fmax(p->low, a->low), high = fmin(p->high, a->high);
	const int side = a->reversed ? -1 : 1;

	svg_line(out, color, 1.5, x_of(a, low), y, x_of(a, high), y);
	draw_end(out, color, x_of(a, low), y, p->low < a->low, -side);
	draw_end(out, color, x_of(a, high), y, p->high > a->high, side);
}

static void
draw_point(struct buf *out, const struct axis *a, const struct forest_point *p, double y,
	   const char *color)
{
	if (!isnan(p->margin))
		svg_line(out, SOFT, 3, x_of(a, p->margin), y - 8, x_of(a, p->margin), y + 8);
	if (!isnan(p->low))
		draw_interval(out, a, p, y, color);
	if (!isnan(p->other))
		svg_diamond(out, SOFT, 6, x_of(a, p->other), y);
	if (!isnan(p->value))
		svg_circle(out, color, 4, x_of(a, p->value), y);
}

/* The label of an axis, and the meaning of its direction. */
static void
draw_label(struct buf *out, const struct axis *a, const char *label, double bottom)
{
	struct svg_text how = { .x = a->left + PANEL / 2.0, .y = bottom + 36, .size = 12,
				.anchor = SVG_MIDDLE, .fill = INK };

	svg_text(out, &how, label);
	how = (struct svg_text){ .x = a->left, .y = bottom + 54, .size = 11,
				 .anchor = SVG_START, .fill = SOFT };
	svg_text(out, &how, "\xe2\x86\x90 worse");
	how.x = a->left + PANEL;
	how.anchor = SVG_END;
	svg_text(out, &how, "better \xe2\x86\x92");
}

/* Grid lines with their values below; of more than six, only every second has its value. */
static void
draw_axis(struct buf *out, const struct axis *a, const char *label, double top, double bottom)
{
	const int n = (int)lround((a->high - a->low) / a->step);
	const int digits = tick_digits(a->step), origin = (int)lround(-a->low / a->step);

	for (int i = 0; i <= n; i++) {
		const double v = a->low + i * a->step, x = x_of(a, v);
		const bool zero = fabs(v) < a->step / 2;
		char text[40];

		svg_line(out, zero ? INK : "#ddd", zero ? 1.5 : 1, x, top, x, bottom);
		snprintf(text, sizeof(text), "%.*f", digits, zero ? 0 : v);
		if (n <= 6 || (i - origin) % 2 == 0)
			svg_text(out, &(struct svg_text) {
				.x = x, .y = bottom + 16, .size = 11, .anchor = SVG_MIDDLE,
				.fill = SOFT }, text);
	}
	draw_label(out, a, label, bottom);
}

/* --- the drawing --- */

static double
widest(const struct forest *f, bool notes)
{
	double max = 0;

	for (size_t i = 0; i < f->n_rows; i++) {
		const char *s = notes ? f->row[i].note : f->row[i].label;

		max = fmax(max, measure_width(s, strlen(s)) * FONT);
	}
	return max;
}

static double
row_top(size_t i)
{
	return TOP + ROW * (double)i;
}

static void
forest_draw_texts(struct buf *out, const struct forest *f, double notes)
{
	for (size_t i = 0; i < f->n_rows; i++) {
		svg_text(out, &(struct svg_text) {
			.x = GAP, .y = row_top(i) + 15, .size = FONT, .anchor = SVG_START,
			.fill = INK, .halo = true }, f->row[i].label);
		svg_text(out, &(struct svg_text) {
			.x = notes, .y = row_top(i) + LABEL + FONT / 3.0, .size = FONT,
			.anchor = SVG_START, .fill = f->row[i].color }, f->row[i].note);
	}
}

static void
draw_none(struct buf *out, const struct forest *f)
{
	svg_begin(out, measure_width(f->none, strlen(f->none)) * FONT + 2 * GAP, ROW, f->title);
	svg_text(out, &(struct svg_text){ .x = GAP, .y = LABEL, .size = FONT, .anchor = SVG_START,
					  .fill = SOFT }, f->none);
	svg_end(out);
}

void
forest_svg(struct buf *out, const struct forest *f)
{
	const double bottom = row_top(f->n_rows);
	double left = GAP, notes, right;
	struct axis a[FOREST_PANELS];
	int drawn[FOREST_PANELS], n = 0;

	if (!f->n_rows) {
		draw_none(out, f);
		return;
	}
	for (int k = 0; k < FOREST_PANELS; k++)
		if (f->panel[k].label) {
			a[n] = forest_axis_of(f, k, left);
			left += PANEL + BETWEEN;
			drawn[n++] = k;
		}
	notes = left - BETWEEN + GAP;
	right = fmax(notes + widest(f, true), GAP + widest(f, false));
	svg_begin(out, right + GAP, bottom + AXIS, f->title);
	for (int i = 0; i < n; i++)
		draw_axis(out, &a[i], f->panel[drawn[i]].label, TOP, bottom);
	forest_draw_texts(out, f, notes);
	for (int i = 0; i < n; i++)
		for (size_t r = 0; r < f->n_rows; r++)
			draw_point(out, &a[i], &f->row[r].at[drawn[i]], row_top(r) + LABEL,
				   f->row[r].color);
	svg_end(out);
}
