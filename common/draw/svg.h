/*
 * svg: appends elements of an SVG drawing to a buffer.  Lengths are in pixels; y counts downward.
 * Texts may have any bytes; characters that XML does not allow are replaced by U+FFFD.
 */
#ifndef SVG_H
#define SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define SVG_FONT "'DejaVu Sans',Verdana,Arial,'Noto Sans',sans-serif"

/*
 * Appends the start of an <svg> element, with a white background.  Browsers show the title, and
 * screen readers read it.  svg_end() appends its end.
 */
void svg_begin(struct buf *out, double width, double height, const char *title);
void svg_end(struct buf *out);

/*
 * Appends the `n` bytes at `s`, escaped for the content and the attributes of elements of XML and
 * HTML.  Tabs and line ends are replaced by blanks.
 */
void svg_escape(struct buf *out, const char *s, size_t n);

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };
struct svg_text {
	double x, y;			/* where the start, middle or end of the text is, on its
					 * baseline */
	double size;			/* size of the font */
	enum svg_anchor anchor;
	const char *fill;		/* color, such as "#222" */
	bool upward;			/* rotated, to be read from bottom to top */
	bool bold;
	bool halo;			/* has a white edge, for text that crosses lines */
	double max_em;			/* longer texts are shortened and end in "…"; 0: no limit */
};

/* Draws a text. */
void svg_text(struct buf *out, const struct svg_text *style, const char *text);
/*
 * Appends the start of a <path> element, up to the opening quote of its attribute d.  The caller
 * continues with svg_at(), and ends the element with "\"/>\n".  `color` and `width` are those of
 * the line.  `fill` is the color of the area, or "none".
 */
void svg_path(struct buf *out, const char *color, double width, const char *fill);
/* Appends a path command such as "M1 2". */
void svg_at(struct buf *out, char command, double x, double y);
/* Draws a line from (`x`, `y`) to (`to_x`, `to_y`). */
void svg_line(struct buf *out, const char *color, double width, double x, double y, double to_x,
	      double to_y);
/*
 * The first function draws a filled circle with its center at (`x`, `y`).  The second one draws a
 * diamond with a white interior and its center at (`x`, `y`); its height is 2 times `half`.
 */
void svg_circle(struct buf *out, const char *fill, double radius, double x, double y);
void svg_diamond(struct buf *out, const char *color, double half, double x, double y);

/*
 * Marks of points.  Those before SVG_LINE_MARKS are filled shapes, for the points of lines.
 * SVG_DIAMOND has a white interior, for points without a line.
 */
enum svg_mark { SVG_CIRCLE, SVG_SQUARE, SVG_TRIANGLE, SVG_LINE_MARKS, SVG_DIAMOND };
enum { SVG_DIAMOND_SIZE = 5, SVG_DOT_SIZE = 3 };	/* half of the height of a diamond, and of
							 * the other marks */
/* Draws a mark with its center at (`x`, `y`). */
void svg_mark(struct buf *out, enum svg_mark mark, const char *color, double x, double y);

/* Appends `v`, rounded to at most two digits after the decimal point. */
void svg_number(struct buf *out, double v);

#endif
