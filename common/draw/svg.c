/* svg: elements of SVG drawings; see svg.h. */
#include "draw/svg.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/measure.h"

static const char *
svg_entity(int32_t c)
{
	switch (c) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return NULL;
	}
}

/* Whether XML 1.0 allows the character, apart from tabs and line ends. */
static bool
in_xml(int32_t c)
{
	return c >= 0x20 && c != 0xfffe && c != 0xffff && !(c >= 0x7f && c < 0xa0);
}

void
svg_escape(struct buf *out, const char *s, size_t n)
{
	size_t len;

	for (size_t i = 0; i < n; i += len) {
		const int32_t c = utf8_next(s + i, n - i, &len);
		const char *instead = c == '\t' || c == '\n' || c == '\r' ? " "
				      : in_xml(c) ? svg_entity(c) : "\xef\xbf\xbd";

		if (instead)
			buf_add_str(out, instead);
		else
			buf_add(out, s + i, len);
	}
}

void
svg_number(struct buf *out, double v)
{
	char text[40];
	int n = snprintf(text, sizeof(text), "%.2f", v);

	while (text[n - 1] == '0')
		n--;
	if (text[n - 1] == '.')
		n--;
	buf_add(out, text, (size_t)n);
}

static void
add_attribute(struct buf *out, const char *name, double v)
{
	buf_printf(out, " %s=\"", name);
	svg_number(out, v);
	buf_add_char(out, '"');
}

void
svg_begin(struct buf *out, double width, double height, const char *title)
{
	buf_add_str(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"");
	add_attribute(out, "width", width);
	add_attribute(out, "height", height);
	buf_add_str(out, " viewBox=\"0 0 ");
	svg_number(out, width);
	buf_add_char(out, ' ');
	svg_number(out, height);
	buf_add_str(out, "\" font-family=\"" SVG_FONT "\">\n<title>");
	svg_escape(out, title, strlen(title));
	buf_add_str(out, "</title>\n<path fill=\"#fff\" d=\"M0 0h");
	svg_number(out, width);
	buf_add_char(out, 'v');
	svg_number(out, height);
	buf_add_str(out, "H0z\"/>\n");
}

void
svg_end(struct buf *out)
{
	buf_add_str(out, "</svg>\n");
}

static void
add_shortened(struct buf *out, const char *text, double max_em)
{
	const size_t n = strlen(text);

	if (max_em <= 0 || measure_width(text, n) <= max_em) {
		svg_escape(out, text, n);
		return;
	}
	svg_escape(out, text, measure_fit(text, n, max_em - 1));
	buf_add_str(out, "\xe2\x80\xa6<title>");
	svg_escape(out, text, n);
	buf_add_str(out, "</title>");
}

void
svg_text(struct buf *out, const struct svg_text *style, const char *text)
{
	static const char *const anchor[] = { "", " text-anchor=\"middle\"",
					      " text-anchor=\"end\"" };

	buf_add_str(out, "<text");
	if (style->upward) {
		buf_add_str(out, " transform=\"translate(");
		svg_number(out, style->x);
		buf_add_char(out, ' ');
		svg_number(out, style->y);
		buf_add_str(out, ")rotate(-90)\"");
	} else {
		add_attribute(out, "x", style->x);
		add_attribute(out, "y", style->y);
	}
	add_attribute(out, "font-size", style->size);
	buf_printf(out, "%s fill=\"%s\"%s%s>", anchor[style->anchor], style->fill,
		   style->bold ? " font-weight=\"bold\"" : "",
		   style->halo ? " stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"" : "");
	add_shortened(out, text, style->max_em);
	buf_add_str(out, "</text>\n");
}

void
svg_path(struct buf *out, const char *color, double width, const char *fill)
{
	buf_printf(out, "<path fill=\"%s\" stroke=\"%s\"", fill, color);
	add_attribute(out, "stroke-width", width);
	buf_add_str(out, " d=\"");
}

void
svg_at(struct buf *out, char command, double x, double y)
{
	buf_add_char(out, command);
	svg_number(out, x);
	buf_add_char(out, ' ');
	svg_number(out, y);
}

void
svg_line(struct buf *out, const char *color, double width, double x, double y, double to_x,
	 double to_y)
{
	svg_path(out, color, width, "none");
	svg_at(out, 'M', x, y);
	svg_at(out, 'L', to_x, to_y);
	buf_add_str(out, "\"/>\n");
}

void
svg_circle(struct buf *out, const char *fill, double radius, double x, double y)
{
	buf_printf(out, "<circle fill=\"%s\"", fill);
	add_attribute(out, "r", radius);
	add_attribute(out, "cx", x);
	add_attribute(out, "cy", y);
	buf_add_str(out, "/>\n");
}

void
svg_diamond(struct buf *out, const char *color, double half, double x, double y)
{
	svg_path(out, color, 1.5, "#fff");
	svg_at(out, 'M', x, y - half);
	svg_at(out, 'L', x + half, y);
	svg_at(out, 'L', x, y + half);
	svg_at(out, 'L', x - half, y);
	buf_add_str(out, "z\"/>\n");
}

/* --- marks --- */

#define RADIUS 2.4
#define HALF   2.6	/* of the side of squares and triangles */

static void
draw_corners(struct buf *out, enum svg_mark mark, const char *color, double x, double y)
{
	const double top = mark == SVG_SQUARE ? HALF : 0;	/* half of the upper side */

	svg_path(out, color, 0, color);
	svg_at(out, 'M', x - HALF, y + HALF);
	svg_at(out, 'L', x - top, y - HALF);
	svg_at(out, 'L', x + top, y - HALF);
	svg_at(out, 'L', x + HALF, y + HALF);
	buf_add_str(out, "z\"/>\n");
}

void
svg_mark(struct buf *out, enum svg_mark mark, const char *color, double x, double y)
{
	if (mark == SVG_CIRCLE)
		svg_circle(out, color, RADIUS, x, y);
	else if (mark == SVG_DIAMOND)
		svg_diamond(out, color, SVG_DIAMOND_SIZE, x, y);
	else
		draw_corners(out, mark, color, x, y);
}
