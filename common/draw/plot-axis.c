/* plot-axis: the axes of a panel; see plot-axis.h. */
#include "draw/plot-axis.h"

#include <math.h>
#include <string.h>

#include "draw/measure.h"
#include "draw/svg.h"
#include "draw/ticks.h"

#define INK "#222"
#define SOFT "#667"
#define PALE "#ddd"

/* TICK_SPACE: the pixels of a tick with its number. */
enum { TICKS = 6, TICK_SPACE = 44, NUMBER_SIZE = 11, LABEL_SIZE = 12 };

/*
 * In pixels: the space between a y axis and its numbers, that from the left edge to the baseline of
 * the label, the widest numbers for which PLOT_AXIS_LEFT is enough, and what longer ones need
 * in addition to their width.
 */
enum { NUMBER_GAP = 6, LABEL_LEFT = 16, NUMBER_FITS = 43, BESIDE_NUMBER = 28 };

struct plot_axis
plot_axis_begin(bool log)
{
	return (struct plot_axis){ .low = INFINITY, .high = -INFINITY, .log = log };
}

static double
scaled(const struct plot_axis *a, double value)
{
	return a->log ? log10(value) : value;
}

void
plot_axis_cover(struct plot_axis *a, double value)
{
	if (isnan(value))
		return;
	a->low = fmin(a->low, scaled(a, value));
	a->high = fmax(a->high, scaled(a, value));
}

void
plot_axis_end(struct plot_axis *a, double pixels, bool round)
{
	const int room = (int)(pixels / TICK_SPACE) - 1;

	if (a->high <= a->low) {
		const bool fixed = round || a->log || !a->low;
		const double half = fixed && fabs(a->low) < 1e15 ? 0.5 : fabs(a->low) / 2;

		a->low -= half;
		a->high += half;
	}
	a->step = tick_step(a->high - a->low, room < 2 ? 2 : room < TICKS ? room : TICKS);
	if (!round)
		return;
	a->low = floor(a->low / a->step + 1e-9) * a->step;
	a->high = ceil(a->high / a->step - 1e-9) * a->step;
}

double
plot_axis_at(const struct plot_axis *a, double value)
{
	return a->at_low + (a->at_high - a->at_low) * (scaled(a, value) - a->low) /
			   (a->high - a->low);
}

/* --- ticks --- */

/* Returns the number of ticks of an axis and sets *first to the value of the first. */
static int
ticks_of(const struct plot_axis *a, double *first)
{
	const int n = tick_count(a->low, a->high, a->step, first);

	*first *= a->step;
	return n;
}

static void
draw_x_tick(struct buf *out, const struct plot_axis *a, double y, double v, double step)
{
	const double x = plot_axis_at(a, v), end = a->at_high + PLOT_AXIS_RIGHT;
	char text[TICK_TEXT];
	double half;

	svg_line(out, SOFT, 1, x, y, x, y + 4);
	tick_text(text, sizeof(text), v, step);
	half = NUMBER_SIZE * measure_width(text, strlen(text)) / 2;
	svg_text(out, &(struct svg_text){
		 .x = fmin(x, end - half), .y = y + 17, .size = NUMBER_SIZE,
		 .anchor = SVG_MIDDLE, .fill = SOFT }, text);
}

/*
 * 1, 2 and 5 times powers of ten; only powers, or some of them, if these are many.  A short axis
 * has the ticks of a linear one.
 */
static void
draw_log_ticks(struct buf *out, const struct plot_axis *a, double y)
{
	static const int heads[] = { 1, 2, 5 };
	const double decades = a->high - a->low, most = (a->at_high - a->at_low) / TICK_SPACE;
	const int n = decades > fmin(3, most / 3) ? 1 : 3;
	const int by = decades > most ? (int)ceil(decades / most) : 1;
	struct plot_axis linear = { pow(10, a->low), pow(10, a->high), 1, false, 0, 0, 0 };
	double first;

	if (decades < 0.5) {
		linear.step = tick_step(linear.high - linear.low, TICKS / 2);
		for (int i = 0; i < ticks_of(&linear, &first); i++)
			draw_x_tick(out, a, y, first + i * linear.step, linear.step);
		return;
	}
	for (int k = (int)floor(a->low); k <= a->high; k += by)
		for (int i = 0; i < n; i++) {
			const double v = heads[i] * pow(10, k), at = log10(v);

			if (at >= a->low - 1e-9 && at <= a->high + 1e-9)
				draw_x_tick(out, a, y, v, pow(10, k));
		}
}

static void
draw_x_ticks(struct buf *out, const struct plot_axis *a, double y)
{
	double first;
	const int n = a->log ? 0 : ticks_of(a, &first);

	if (a->log)
		draw_log_ticks(out, a, y);
	for (int i = 0; i < n; i++)
		draw_x_tick(out, a, y, first + i * a->step, a->step);
}

double
plot_axis_left(const struct plot_axis *y)
{
	char text[TICK_TEXT];
	double first, width = 0;
	const int n = ticks_of(y, &first);

	for (int i = 0; i < n; i++) {
		tick_text(text, sizeof(text), first + i * y->step, y->step);
		width = fmax(width, NUMBER_SIZE * measure_width(text, strlen(text)));
	}
	return width <= NUMBER_FITS ? PLOT_AXIS_LEFT : ceil(width) + BESIDE_NUMBER;
}

static void
draw_y_ticks(struct buf *out, const struct plot_axis *a, const struct plot_box *b)
{
	char text[TICK_TEXT];
	double first;
	const int n = ticks_of(a, &first);

	for (int i = 0; i < n; i++) {
		const double v = first + i * a->step, y = plot_axis_at(a, v);

		svg_line(out, PALE, 1, b->left, y, b->right, y);
		tick_text(text, sizeof(text), v, a->step);
		svg_text(out, &(struct svg_text){ .x = b->left - NUMBER_GAP, .y = y + 4,
			 .size = NUMBER_SIZE, .anchor = SVG_END, .fill = SOFT }, text);
	}
}

void
plot_axes_draw(struct buf *out, const struct plot_box *b, const struct plot_axis *x,
	       const struct plot_axis *y, const char *x_label, const char *y_label)
{
	draw_y_ticks(out, y, b);
	draw_x_ticks(out, x, b->bottom);
	svg_line(out, SOFT, 1, b->left, b->bottom, b->right, b->bottom);
	svg_text(out, &(struct svg_text){
		 .x = (b->left + b->right) / 2, .y = b->bottom + 36, .size = LABEL_SIZE,
		 .anchor = SVG_MIDDLE, .fill = INK,
		 .max_em = (b->right - b->left + 2 * PLOT_AXIS_RIGHT) / LABEL_SIZE }, x_label);
	svg_text(out, &(struct svg_text){
		 .x = b->left - y->left + LABEL_LEFT, .y = (b->top + b->bottom) / 2,
		 .size = LABEL_SIZE, .anchor = SVG_MIDDLE, .fill = INK, .upward = true,
		 .max_em = (b->bottom - b->top) / LABEL_SIZE }, y_label);
}
