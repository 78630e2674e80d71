/* page-figure: figures, and pages of head-map in frames; see page.h. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/walk.h"
#include "results/page-parts.h"
#include "results/page-svg.h"
#include "stream/json-out.h"
#include "text/lines.h"

/* In pixels; lets browsers reserve the space before they decode the picture. */
struct size { double width, height; };

/* The value of an attribute of the tag in [tag, end), up to its closing quote; or NULL. */
static const char *
page_figure_attribute(const char *tag, const char *end, const char *name)
{
	const size_t n = strlen(name);

	for (const char *at = tag; (at = strstr(at, name)) && at < end; at += n) {
		const char before = at[-1], quote = at[n] == '=' ? at[n + 1] : 0;

		if (strchr(" \n\t\r", before) && (quote == '"' || quote == '\''))
			return at + n + 2;
	}
	return NULL;
}

/* The pixels of a length that a quote ends; 0 if they depend on the page, as those of 100% do. */
static double
page_figure_pixels(const char *text)
{
	static const struct { const char *name; double pixels; } units[] = {
		{ "", 1 }, { "px", 1 }, { "pt", 96 / 72.0 }, { "pc", 16 }, { "in", 96 },
		{ "cm", 96 / 2.54 }, { "mm", 96 / 25.4 }
	};
	char *unit;
	const double v = strtod(text, &unit);
	const size_t n = strcspn(unit, "\"'");

	for (size_t i = 0; unit > text && i < sizeof(units) / sizeof(*units); i++)
		if (strlen(units[i].name) == n && !strncmp(unit, units[i].name, n))
			return v * units[i].pixels;
	return 0;
}

/* From width and height, otherwise from the view box. */
static struct size
page_figure_size_of(const char *tag, const char *end)
{
	const char *width = page_figure_attribute(tag, end, "width");
	const char *height = page_figure_attribute(tag, end, "height");
	const char *box = page_figure_attribute(tag, end, "viewBox");
	struct size s = {
		width ? page_figure_pixels(width) : 0, height ? page_figure_pixels(height) : 0
	};
	char *next;

	if (box && !(s.width > 0 && s.height > 0)) {
		strtod(box, &next);
		strtod(next, &next);
		s.width = strtod(next, &next);
		s.height = strtod(next, NULL);
	}
	return s;
}

/* Embedded as an image: ids of several figures do not collide, and scripts in them do not run. */
static void
add_image(struct page *p, const struct buf *svg, struct size s, const char *alt)
{
	const bool known = s.width >= 1 && s.width < 1e5 && s.height >= 1 && s.height < 1e5;

	page_add_text(&p->body, "<img alt=\"", alt, "\"");
	if (known)
		buf_printf(&p->body, " width=\"%.0f\" height=\"%.0f\"", s.width, s.height);
	buf_add_str(&p->body, " src=\"data:image/svg+xml;base64,");
	base64_add(&p->body, svg->data, svg->n);
	buf_add_str(&p->body, "\">\n");
}

static void
add_caption(struct page *p, const char *caption)
{
	if (caption)
		page_add_text(&p->body, "<figcaption>", caption, "</figcaption>\n");
}

/* In the page or, if it has anything but plain drawing, as an image. */
static int
add_drawing(struct page *p, const char *path, const char *class, const char *alt, struct err *e)
{
	struct buf svg = { 0 };
	int r = lines_read_all(path, &svg, e);
	const char *tag = r ? NULL : strstr(svg.data, "<svg");
	const char *end = tag ? strchr(tag, '>') : NULL;
	const size_t good = r ? 0 : utf8_text(svg.data, svg.n);

	if (!r && good < svg.n)
		r = err_set(e, EXIT_INPUT, "%s: byte %zu (0x%02x) is not UTF-8 text, "
			    "expected an SVG picture", path, good + 1,
			    (unsigned)(unsigned char)svg.data[good]);
	else if (!r && !end)
		r = err_set(e, EXIT_INPUT, "%s: no svg element, expected an SVG picture", path);
	else if (!r && end[-1] != '/' && !strstr(end, "</svg"))
		r = err_set(e, EXIT_INPUT, "%s: no end of the svg element, expected a complete SVG "
			    "picture", path);
	if (!r) {
		if (class)
			buf_printf(&p->body, "<div class=\"%s\">\n", class);
		page_wide_begin(p, alt, NULL);
		if (!page_svg(&p->body, svg.data, alt))
			add_image(p, &svg, page_figure_size_of(tag, end), alt);
		page_wide_end(p);
		if (class)
			buf_add_str(&p->body, "</div>\n");
	}
	buf_release(&svg);
	return r;
}

int
page_figure(struct page *p, const struct page_drawing *d, struct err *e)
{
	const char *alt = d->alt ? d->alt : d->caption ? d->caption : "figure";
	int status;

	buf_add_str(&p->body, "<figure");
	if (d->caption)
		buf_printf(&p->body, " id=\"%s\"", page_entry(p, d->caption));
	buf_add_str(&p->body, ">\n");
	status = add_drawing(p, d->path, d->narrow ? "wider" : NULL, alt, e);
	if (!status && d->narrow)
		status = add_drawing(p, d->narrow, "narrow", alt, e);
	add_caption(p, d->caption);
	buf_add_str(&p->body, "</figure>\n");
	return status;
}

int
page_walk(struct page *p, const char *path, const char *caption, struct err *e)
{
	struct buf html = { 0 };
	int r = lines_read_all(path, &html, e);

	if (!r && !walk_is(html.data, html.n)) {
		r = err_set(e, EXIT_INPUT, "%s: not a page of head-map --to html, expected one, "
			    "complete and unchanged", path);
		err_hint(e, "write it with head-map of this version");
	}
	if (!r) {
		page_add_text(&p->body, "<figure class=\"walk\">\n"
			      "<iframe sandbox=\"allow-scripts\" title=\"",
			      caption ? caption : "attention heads", "\" srcdoc=\"");
		for (size_t i = 0; i < html.n; i++)
			if (html.data[i] == '&')
				buf_add_str(&p->body, "&amp;");
			else if (html.data[i] == '"')
				buf_add_str(&p->body, "&quot;");
			else
				buf_add_char(&p->body, html.data[i]);
		buf_add_str(&p->body, "\"></iframe>\n");
		add_caption(p, caption);
		buf_add_str(&p->body, "</figure>\n");
	}
	buf_release(&html);
	return r;
}
