/* heat-scale: ranges and color bars; see heat-scale.h. */
#include "draw/heat-scale.h"

#include <math.h>
#include <string.h>

#include "draw/measure.h"
#include "draw/svg.h"
#include "draw/ticks.h"

enum { BAR = 12, STRIPES = 64, MAX_DECIMALS = 12 };
static const double font = 10;

static void
extremes(const struct heat_map *h, double *low, double *high)
{
	*low = h->fit ? INFINITY : 0;
	*high = h->fit ? -INFINITY : 0;
	for (int p = 0; p < h->n; p++) {
		const struct panel *m = &h->panel[p];
		const size_t n = (size_t)m->rows->n * (size_t)m->columns->n;

		for (size_t i = 0; i < n; i++) {
			if (m->x[i] < *low)
				*low = m->x[i];
			if (m->x[i] > *high)
				*high = m->x[i];
		}
	}
}

/* A value slightly beyond a round number does not extend the range: sums are rarely exactly 1. */
void
heat_map_range(struct heat_map *h)
{
	double low, high, step;

	extremes(h, &low, &high);
	if (low > high)			/* no value */
		low = high = 0;
	if (high <= low)
		high = low + (low != 0 ? fabs(low) / 10 : 1);
	if (h->colors == COLORS_DIVERGING) {
		high = fmax(high, -low);
		low = -high;
	}
	step = tick_step(high - low, 10);
	h->low = step * floor(low / step + 1e-3);
	h->high = step * ceil(high / step - 1e-3);
}

double
heat_scale_at(const struct heat_map *h, double v)
{
	return (v - h->low) / (h->high - h->low);
}

int
heat_scale_decimals(const struct heat_map *h)
{
	const double digits = ceil(2 - log10(h->high - h->low) - 1e-9);

	return digits < 0 ? 0 : digits > MAX_DECIMALS ? MAX_DECIMALS : (int)digits;
}

static void
add_stripes(const struct heat_map *h, struct buf *out, double x, double y, double height)
{
	char hex[8];

	for (int i = 0; i < STRIPES; i++) {
		const double top = floor(height * i / STRIPES);
		const double next = floor(height * (i + 1) / STRIPES);

		color_hex(color_at(h->colors, 1 - (i + 0.5) / STRIPES), hex);
		buf_printf(out, "<path fill=\"%s\" d=\"M%g %gh%dv%gh-%d\"/>\n", hex, x, y + top,
			   BAR, next - top, BAR);
	}
	buf_printf(out, "<path fill=\"none\" stroke=\"#888\" d=\"M%g %gh%dv%gh-%dz\"/>\n", x, y,
		   BAR, height, BAR);
}

static double
bar_step(const struct heat_map *h)
{
	return tick_step(h->high - h->low, 4);
}

double
heat_scale_width(const struct heat_map *h)
{
	const char *unit = h->unit ? h->unit : "";
	char low[TICK_TEXT], high[TICK_TEXT];
	double widest;

	if (h->each)
		return fmax(BAR, font * measure_width(unit, strlen(unit)));
	tick_text(low, sizeof(low), h->low, bar_step(h));
	tick_text(high, sizeof(high), h->high, bar_step(h));
	widest = fmax(measure_width(low, strlen(low)), measure_width(high, strlen(high)));
	return fmax(BAR + 7 + font * widest, font * measure_width(unit, strlen(unit)));
}

void
heat_scale_draw(const struct heat_map *h, struct buf *out, double x, double y, double height)
{
	const double step = bar_step(h);
	double first;
	const int n = tick_count(h->low, h->high, step, &first);
	struct svg_text how = { .x = x, .y = y - 8, .size = font, .fill = "#444" };
	char text[TICK_TEXT];

	if (h->unit)
		svg_text(out, &how, h->unit);
	how.x += BAR + 6;
	add_stripes(h, out, x, y, height);
	if (h->each)
		return;
	for (int i = 0; i < n; i++) {
		const double v = (first + i) * step;
		const double at = y + height * (1 - heat_scale_at(h, v));

		tick_text(text, sizeof(text), v, step);
		buf_printf(out, "<path stroke=\"#888\" d=\"M%g %.1fh3\"/>\n", x + BAR, at);
		how.y = at + font * 0.36;
		svg_text(out, &how, text);
	}
}
