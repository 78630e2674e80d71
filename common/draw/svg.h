/*
 * svg: elements of a drawing, appended to a buffer.  Lengths are in pixels.  Texts may have any
 * content; characters that XML does not allow become U+FFFD.
 */
#ifndef SVG_H
#define SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define SVG_FONT "'DejaVu Sans',Verdana,Arial,'Noto Sans',sans-serif"

/* Opens <svg> with a white background.  Browsers and screen readers present the title. */
void svg_begin(struct buf *out, double width, double height, const char *title);
void svg_end(struct buf *out);

/*
 * Escapes text for content and attributes, of XML and of HTML.  Tabs and line ends become blanks.
 */
void svg_escape(struct buf *out, const char *s, size_t n);

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };
struct svg_text {
	double x, y;			/* of the anchor, on the baseline */
	double size;			/* size of the font, in pixels */
	enum svg_anchor anchor;
	const char *fill;		/* such as "#222" */
	bool upward;			/* rotated, from bottom to top */
	bool bold;
	bool halo;			/* with a white edge, for text on top of lines */
	double max_em;			/* longer texts are shortened and end in "…"; 0: no limit */
};

/* Draws a text. */
void svg_text(struct buf *out, const struct svg_text *style, const char *text);
/*
 * Begins a path element, up to the value of its attribute d.  The caller continues with svg_at(),
 * and ends the element with "\"/>\n".  `width` is that of the line.  `fill` may be "none".
 */
void svg_path(struct buf *out, const char *color, double width, const char *fill);
/* Appends a path command such as "M1 2". */
void svg_at(struct buf *out, char command, double x, double y);
/* Draws a line from x, y to `to_x`, `to_y`. */
void svg_line(struct buf *out, const char *color, double width, double x, double y, double to_x,
	      double to_y);
/* Draw a filled circle, and a diamond with a white interior, which is 2 `half` high. */
void svg_circle(struct buf *out, const char *fill, double radius, double x, double y);
void svg_diamond(struct buf *out, const char *color, double half, double x, double y);

/*
 * Marks of points: filled shapes for the points of lines, and an empty diamond for points without a
 * line.
 */
enum svg_mark { SVG_CIRCLE, SVG_SQUARE, SVG_TRIANGLE, SVG_LINE_MARKS, SVG_DIAMOND };
enum { SVG_DIAMOND_SIZE = 5, SVG_DOT_SIZE = 3 };	/* half of the height, in pixels */
/* Draws a mark whose center is at x and y. */
void svg_mark(struct buf *out, enum svg_mark mark, const char *color, double x, double y);

/* Appends a number with at most two digits after the decimal point. */
void svg_number(struct buf *out, double v);

#endif
