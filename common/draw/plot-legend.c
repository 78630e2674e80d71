/* plot-legend: names and samples of series; see plot-legend.h. */
#include "draw/plot-legend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/measure.h"
#include "draw/plot-labels.h"
#include "draw/plot-style.h"

/*
 * ENTRY: the height of an entry of one line; LINE: of each further line.  If there are several
 * columns, names are broken in those wider than BREAK and than half of the legend.  The last of
 * MAX_LINES is shortened.
 */
enum { ENTRY = 18, LINE = 14, BEFORE_NAME = PLOT_SAMPLE + PLOT_LABEL_GAP,
       BETWEEN = 2 * PLOT_LABEL_GAP, BREAK = 260, MAX_LINES = 4 };

void
plot_legend_add(struct plot_legend *l, const struct plot_panel *panel, const struct plot_series *s)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct plot_entry *o = &l->entry[i];

		if (o->series->kind == s->kind && !strcmp(o->series->name, s->name) &&
		    !strcmp(plot_style_color(o->panel, o->series), plot_style_color(panel, s)))
			return;
	}
	l->entry = mem_grow(l->entry, &l->room, l->n + 1, sizeof(*l->entry));
	l->entry[l->n++] = (struct plot_entry){ panel, s };
}

void
plot_legend_release(struct plot_legend *l)
{
	free(l->entry);
}

/* --- samples --- */

void
plot_legend_sample(struct buf *out, const struct plot_panel *panel, const struct plot_series *s,
		   double x, double y)
{
	const char *color = plot_style_color(panel, s);
	const enum svg_mark mark = plot_style_mark(s);

	if (s->kind == PLOT_BAND) {
		buf_add_str(out, "<path fill=\"" PLOT_BAND_FILL "\" d=\"");
		svg_at(out, 'M', x, y - 5);
		svg_at(out, 'L', x + PLOT_SAMPLE, y - 5);
		svg_at(out, 'L', x + PLOT_SAMPLE, y + 5);
		svg_at(out, 'L', x, y + 5);
		buf_add_str(out, "z\"/>\n");
	}
	if (s->kind == PLOT_POINTS || (s->kind == PLOT_LINE && s->n == 1)) {
		svg_mark(out, mark, color, x + PLOT_SAMPLE / 2.0, y);
		return;
	}
	svg_path(out, color, 1.8, "none");
	svg_at(out, 'M', x, y);
	svg_at(out, 'L', x + PLOT_SAMPLE, y);
	plot_style_end(out, s);
	if (mark != SVG_CIRCLE && s->n <= PLOT_MAX_DOTS)
		svg_mark(out, mark, color, x + PLOT_SAMPLE / 2.0, y);
}

/* --- columns --- */

static double
entry_width(const char *name)
{
	return BEFORE_NAME + PLOT_LABEL_FONT * measure_width(name, strlen(name)) + BETWEEN;
}

/* The width of the column that begins with entry `first` and has `rows` entries. */
static double
column_width(const struct plot_legend *l, size_t first, size_t rows, double width)
{
	double widest = 0;

	if (rows == l->n)
		return width;

	for (size_t i = first; i < l->n && i < first + rows; i++)
		widest = fmax(widest, entry_width(l->entry[i].series->name));
	return fmin(widest, fmax(width / 2, BREAK));
}

/* The lowest number of rows, so that the columns side by side have room in a width. */
static size_t
legend_rows(const struct plot_legend *l, double width)
{
	size_t rows = 1;

	for (; rows < l->n; rows++) {
		double sum = 0;

		for (size_t i = 0; i < l->n; i += rows)
			sum += column_width(l, i, rows, width);
		if (sum - BETWEEN <= width)
			break;
	}
	return rows;
}

/* Draws an entry with its upper end at y and returns its height. */
static double
draw_entry(struct buf *out, const struct plot_entry *t, double x, double y, double width)
{
	const double em = (width - BEFORE_NAME - BETWEEN) / PLOT_LABEL_FONT;
	const char *name = t->series->name;
	struct svg_text style = { .x = x + BEFORE_NAME, .y = y + PLOT_LABEL_FONT,
				  .size = PLOT_LABEL_FONT, .max_em = em + 1e-6,
				  .fill = plot_style_color(t->panel, t->series) };
	struct buf line = { 0 };

	plot_legend_sample(out, t->panel, t->series, x, y + PLOT_LABEL_FONT * 2 / 3.0);
	for (int i = 1; *name; i++, style.y += LINE) {
		const size_t n = i < MAX_LINES ? measure_line(name, em) : strlen(name);

		buf_clear(&line);
		buf_add(&line, name, n);
		svg_text(out, &style, line.data);
		name += n;
		name += strspn(name, " ");
	}
	buf_release(&line);
	return fmax(ENTRY, style.y - y - PLOT_LABEL_FONT + ENTRY - LINE);
}

double
plot_legend_draw(struct buf *out, const struct plot_legend *l, double left, double top,
		 double width)
{
	const size_t rows = legend_rows(l, width);
	double height = 0;

	for (size_t i = 0; i < l->n; i += rows) {
		const double column = column_width(l, i, rows, width);
		double y = top;

		for (size_t k = i; k < l->n && k < i + rows; k++)
			y += draw_entry(out, &l->entry[k], left, y, column);
		height = fmax(height, y - top);
		left += column;
	}
	return height;
}
