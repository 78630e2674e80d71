/* figure-file: figures as files; see figure-file.h. */
#include "draw/figure-file.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/num.h"
#include "base/output.h"
#include "draw/png.h"

enum { PIXELS = 96, POINTS = 72 };	/* of an inch, in CSS and in PDF */

int
figure_file_length(const char *text, double *inches, struct err *e)
{
	static const struct { const char *name; double per_inch; } units[] = {
		{ "cm", 2.54 }, { "mm", 25.4 }, { "in", 1 }, { "pt", POINTS }, { "px", PIXELS }
	};
	const double least = 1 / 2.54, most = 200 / 2.54;
	const size_t n = strlen(text);

	for (size_t i = 0; n > 2 && i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(text + n - 2, units[i].name))
			continue;
		if (num_float(text, n - 2, 0, 1e6, inches, e))
			return -1;
		*inches /= units[i].per_inch;
		if (*inches < least - 1e-9 || *inches > most + 1e-9)
			return err_usage(e, "'%s', expected 1cm to 200cm", text);
		return 0;
	}
	return err_usage(e, "'%s', expected a length such as 8cm, 80mm, 3.3in, 240pt or 400px",
			 text);
}

const char *const figure_file_forms[] = { "svg", "png", "pdf", "name", NULL };

int
figure_file_choose(const char *output, int form, enum figure_form *chosen, struct err *e)
{
	const char *base = output ? path_name(output) : "";
	const char *dot = *base ? strrchr(base + 1, '.') : NULL;
	int i = form;

	if (form == FIGURE_BY_NAME && dot && strncmp(output, "/dev/", 5)) {
		for (i = 0; i < FIGURE_BY_NAME && strcasecmp(dot + 1, figure_file_forms[i]); i++)
			;
		if (i == FIGURE_BY_NAME)
			return err_usage(e, "%s: a figure, expected a name that ends in .svg, .png "
					 "or .pdf", output);
	}
	*chosen = i == FIGURE_BY_NAME ? FIGURE_SVG : (enum figure_form)i;
	return *chosen == FIGURE_SVG ? 0 : png_check(e);
}

/* The root element of svg_begin(): where its width begins, what follows the height, and values. */
struct root { const char *width, *after; double w, h; };

static struct root
find_root(const struct buf *svg)
{
	struct root r = { 0 };

	r.width = strstr(svg->data, " width=\"");
	if (!r.width || sscanf(r.width, " width=\"%lf\" height=\"%lf\"", &r.w, &r.h) != 2)
		bug("a figure without width and height");
	r.after = strstr(r.width, " viewBox=");
	return r;
}

/* The SVG with the width in inches; viewers scale what it shows. */
static void
resize(const struct buf *svg, const struct root *r, double inches, struct buf *out)
{
	buf_add(out, svg->data, (size_t)(r->width - svg->data));
	buf_printf(out, " width=\"%.4gin\" height=\"%.4gin\"", inches, inches * r->h / r->w);
	buf_add(out, r->after, svg->n - (size_t)(r->after - svg->data));
}

static int
convert_figure(const struct buf *svg, const struct figure_file *file, struct buf *out,
	       struct err *e)
{
	const struct root r = find_root(svg);
	const double inches = file->width > 0 ? file->width : r.w / PIXELS;

	switch (file->form) {
	case FIGURE_PNG:
		return png_draw(svg, r.w, r.h, file->width > 0 ? FIGURE_PNG_INCH * inches / r.w
							      : file->scale, out, e);
	case FIGURE_PDF:
		return png_draw_pdf(svg, inches * POINTS, inches * POINTS * r.h / r.w, out, e);
	case FIGURE_SVG:
		break;
	}
	if (file->width > 0)
		resize(svg, &r, inches, out);
	else
		buf_add(out, svg->data, svg->n);
	return 0;
}

int
figure_file_save(const struct buf *svg, const struct figure_file *file, const char *output,
		 bool force, struct err *e)
{
	const unsigned flags = (file->form == FIGURE_SVG ? 0 : OUTPUT_BINARY) |
			       (force ? OUTPUT_FORCE : 0);
	struct buf out = { 0 };
	const int bad = convert_figure(svg, file, &out, e) ||
			output_all(output, flags, out.data, out.n, e);

	buf_release(&out);
	return bad ? -1 : 0;
}
