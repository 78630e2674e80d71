/* forest: rows, columns and texts of a drawing; see forest.h. */
#include "draw/forest.h"

#include <math.h>
#include <string.h>

#include "draw/forest-axis.h"
#include "draw/measure.h"
#include "draw/svg.h"

const struct forest_point forest_no_point = { NAN, NAN, NAN, NAN, NAN };

/* Sizes in pixels.  Between the lines of a text there are LINE, between points BETWEEN. */
enum { BETWEEN_PANELS = 64 };
enum { FONT = 13, SMALL = 12, LINE = 16, BETWEEN = 15, GAP = 14, AIR = 10, HEADING = 32,
       LEGEND = 28, BAND = 24, NOTES = 205, LABELS = 300, MIN_LABELS = 110 };

struct drawing {
	struct buf *out;
	const struct forest *f;
	double width;			/* of the drawing */
	double labels, notes;		/* widths of their columns */
	double y;			/* where the next part begins */
	int points;			/* of a row */
};

/* --- texts --- */

static int
forest_lines_of(const char *text, double width, double size)
{
	int lines = 0;

	for (; *text; text += strspn(text, " "), lines++)
		text += measure_line(text, width / size);
	return lines;
}

/* Lines of a text below y, the top of the first. */
static void
draw_text(const struct drawing *d, const char *text, double x, double y, double width,
	  struct svg_text style)
{
	struct buf line = { 0 };

	style.x = x;
	for (; *text; text += strspn(text, " ")) {
		const size_t n = measure_line(text, width / style.size);

		buf_clear(&line);
		buf_add(&line, text, n);
		style.y = y += LINE;
		svg_text(d->out, &style, line.data);
		text += n;
	}
	buf_release(&line);
}

static void
draw_label(const struct drawing *d, const struct forest_row *row, double y, double width)
{
	if (row->target) {
		buf_add_str(d->out, "<a href=\"#");
		svg_escape(d->out, row->target, strlen(row->target));
		buf_add_str(d->out, "\">\n");
	}
	draw_text(d, row->label, GAP, y, width, (struct svg_text) {
		.size = FONT, .anchor = SVG_START, .fill = FOREST_INK });
	if (row->target)
		buf_add_str(d->out, "</a>\n");
}

static void
draw_note(const struct drawing *d, const struct forest_row *row, double x, double y, double width)
{
	draw_text(d, row->note, x, y, width, (struct svg_text) {
		.size = SMALL, .anchor = SVG_START, .fill = row->color });
}

static void
draw_heading(struct drawing *d, const char *heading)
{
	if (!heading)
		return;
	svg_text(d->out, &(struct svg_text) {
		.x = GAP, .y = d->y + HEADING - AIR, .size = FONT, .anchor = SVG_START,
		.fill = FOREST_INK, .bold = true }, heading);
	d->y += HEADING;
}

/* --- rows --- */

/* Begins a row, whose values the pointer shows anywhere between y and bottom. */
static void
begin_row(const struct drawing *d, const struct forest_row *row, double y, double bottom)
{
	buf_add_str(d->out, "<g>\n");
	if (!row->title)
		return;
	buf_add_str(d->out, "<title>");
	svg_escape(d->out, row->title, strlen(row->title));
	buf_add_str(d->out, "</title>\n<path fill=\"#fff\" fill-opacity=\"0\" d=\"");
	svg_at(d->out, 'M', 0, y);
	svg_at(d->out, 'L', d->width, y);
	svg_at(d->out, 'L', d->width, bottom);
	svg_at(d->out, 'L', 0, bottom);
	buf_add_str(d->out, "z\"/>\n");
}

static void
draw_points(const struct drawing *d, const struct forest_axis *a, const struct forest_row *row,
	    int panel, double middle)
{
	for (int j = 0; j < d->points; j++)
		forest_point_at(d->out, a, &row->at[panel][j], j,
				d->f->kind[0] ? NULL : row->color,
				middle + (j - (d->points - 1) / 2.0) * BETWEEN);
}

static double
row_height(const struct drawing *d, const struct forest_row *row)
{
	const int labels = forest_lines_of(row->label, d->labels, FONT);
	const int notes = forest_lines_of(row->note, d->notes, SMALL);
	const double texts = LINE * (labels > notes ? labels : notes);

	return fmax(texts, BETWEEN * d->points) + AIR;
}

/* A row of a wide drawing, with its points in all panels. */
static void
wide_row(struct drawing *d, const struct forest_row *row, const struct forest_axis *a,
	 const int *panel, int n)
{
	const double height = row_height(d, row), middle = d->y + height / 2;
	const int labels = forest_lines_of(row->label, d->labels, FONT);
	const int notes = forest_lines_of(row->note, d->notes, SMALL);
	const double up = 4;		/* from the baseline to the middle of letters */

	begin_row(d, row, d->y, d->y + height);
	draw_label(d, row, middle - LINE * (labels + 1) / 2.0 + up, d->labels);
	draw_note(d, row, d->width - d->notes, middle - LINE * (notes + 1) / 2.0 + up, d->notes);
	for (int i = 0; i < n; i++)
		draw_points(d, &a[i], row, panel[i], middle);
	buf_add_str(d->out, "</g>\n");
	d->y += height;
}

/* A row of a narrow drawing: label, note, and below them the points of one panel. */
static void
narrow_row(struct drawing *d, const struct forest_row *row, const struct forest_axis *a, int panel)
{
	const double width = d->width - 2 * GAP;
	const double note = d->y + LINE * forest_lines_of(row->label, width, FONT);
	const double top = note + LINE * forest_lines_of(row->note, width, SMALL) + 6;
	const double height = BAND + BETWEEN * (d->points - 1);

	begin_row(d, row, d->y, top + height);
	draw_label(d, row, d->y, width);
	draw_note(d, row, GAP, note, width);
	forest_lines(d->out, a, top, top + height);
	draw_points(d, a, row, panel, top + height / 2);
	buf_add_str(d->out, "</g>\n");
	d->y = top + height + AIR;
}

/* --- blocks --- */

static int
panels_of(const struct forest_block *b, int *panel)
{
	int n = 0;

	for (int k = 0; k < FOREST_PANELS; k++)
		if (b->panel[k].label)
			panel[n++] = k;
	return n;
}

static double
rows_height(const struct drawing *d, const struct forest_block *b)
{
	double height = 0;

	for (size_t i = 0; i < b->n_rows; i++)
		height += row_height(d, &b->row[i]) + (b->row[i].heading ? HEADING : 0);
	return height;
}

static void
wide_block(struct drawing *d, const struct forest_block *b)
{
	struct forest_axis a[FOREST_PANELS];
	int panel[FOREST_PANELS];
	const int n = panels_of(b, panel);
	const double left = GAP + d->labels + 2 * GAP;
	const double right = d->width - d->notes - (d->notes > 0 ? 2 * GAP : GAP);
	const double width = (right - left - BETWEEN_PANELS * (n - 1)) / n;
	const double top = d->y + FOREST_HEAD, bottom = top + rows_height(d, b);

	for (int i = 0; i < n; i++) {
		a[i] = forest_axis_of(b, panel[i], left + i * (width + BETWEEN_PANELS), width);
		forest_head(d->out, &a[i], top);
		forest_lines(d->out, &a[i], top, bottom);
	}
	d->y = top;
	for (size_t i = 0; i < b->n_rows; i++) {
		draw_heading(d, b->row[i].heading);
		wide_row(d, &b->row[i], a, panel, n);
	}
	for (int i = 0; i < n; i++)
		forest_foot(d->out, &a[i], bottom);
	d->y = bottom + FOREST_FOOT + 2 * GAP;
}

static bool
has_point(const struct forest_row *row, int panel)
{
	for (int j = 0; j < FOREST_POINTS; j++)
		if (!isnan(row->at[panel][j].value))
			return true;
	return false;
}

static void
narrow_block(struct drawing *d, const struct forest_block *b)
{
	int panel[FOREST_PANELS];
	const int n = panels_of(b, panel);

	for (int k = 0; k < n; k++) {
		const struct forest_axis a =
			forest_axis_of(b, panel[k], 2 * GAP, d->width - 4 * GAP);
		const char *heading = NULL;

		d->y += FOREST_HEAD;
		forest_head(d->out, &a, d->y);
		for (size_t i = 0; i < b->n_rows; i++) {
			if (b->row[i].heading)
				heading = b->row[i].heading;
			if (!has_point(&b->row[i], panel[k]))
				continue;
			draw_heading(d, heading);
			heading = NULL;
			narrow_row(d, &b->row[i], &a, panel[k]);
		}
		forest_foot(d->out, &a, d->y - AIR);
		d->y += FOREST_FOOT + GAP;
	}
}

/* --- the drawing --- */

static void
draw_forest_legend(struct drawing *d)
{
	double x = GAP + 6;

	for (int j = 0; j < FOREST_POINTS && d->f->kind[j]; j++) {
		const char *name = d->f->kind[j];
		const double width = measure_width(name, strlen(name)) * SMALL;

		if (x + width > d->width - GAP && j) {
			x = GAP + 6;
			d->y += LINE;
		}
		forest_shape(d->out, j, NULL, x, d->y + LEGEND / 2.0 - 4);
		svg_text(d->out, &(struct svg_text) {
			.x = x + 12, .y = d->y + LEGEND / 2.0, .size = SMALL, .anchor = SVG_START,
			.fill = FOREST_INK }, name);
		x += width + 40;
	}
	d->y += d->f->kind[0] ? LEGEND : 0;
}

/* The widths of the columns of labels and notes: as wide as their longest line, within limits. */
static void
set_columns(struct drawing *d)
{
	for (size_t k = 0; k < d->f->n_blocks; k++)
		for (size_t i = 0; i < d->f->block[k].n_rows; i++) {
			const struct forest_row *row = &d->f->block[k].row[i];

			d->labels = fmax(d->labels,
					 measure_width(row->label, strlen(row->label)) * FONT);
			d->notes = fmax(d->notes,
					measure_width(row->note, strlen(row->note)) * SMALL);
		}
	d->labels = fmin(fmax(d->labels, MIN_LABELS), LABELS);
	d->notes = fmin(d->notes, NOTES);
}

static void
draw_none(struct buf *out, const struct forest *f)
{
	svg_begin(out, measure_width(f->none, strlen(f->none)) * FONT + 2 * GAP, 42, f->title);
	svg_text(out, &(struct svg_text){ .x = GAP, .y = LEGEND, .size = FONT, .anchor = SVG_START,
					  .fill = FOREST_SOFT }, f->none);
	svg_end(out);
}

void
forest_svg(struct buf *out, const struct forest *f)
{
	struct buf body = { 0 };
	struct drawing d = { .out = &body, .f = f, .points = 1,
			     .width = f->narrow ? FOREST_NARROW : FOREST_WIDE };
	size_t rows = 0;

	for (size_t k = 0; k < f->n_blocks; k++)
		rows += f->block[k].n_rows;
	if (!rows) {
		draw_none(out, f);
		return;
	}
	while (d.points < FOREST_POINTS && f->kind[d.points])
		d.points++;
	set_columns(&d);
	draw_forest_legend(&d);
	for (size_t k = 0; k < f->n_blocks; k++)
		if (f->block[k].n_rows && f->narrow)
			narrow_block(&d, &f->block[k]);
		else if (f->block[k].n_rows)
			wide_block(&d, &f->block[k]);
	svg_begin(out, d.width, d.y - GAP, f->title);
	buf_add_str(out, "<g class=\"themed\">\n");
	buf_add(out, body.data, body.n);
	buf_add_str(out, "</g>\n");
	svg_end(out);
	buf_release(&body);
}
