/*
 * svg: elements of a drawing, added to a buffer.  Lengths are in pixels; texts may be anything:
 * what XML cannot hold becomes U+FFFD.
 */
#ifndef SVG_H
#define SVG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define SVG_FONT "'DejaVu Sans',Verdana,Arial,'Noto Sans',sans-serif"

/* From <svg> on, with a white ground; title is what browsers and screen readers say. */
void svg_begin(struct buf *out, double width, double height, const char *title);
void svg_end(struct buf *out);

/* What may stand between tags and in an attribute; also HTML's. */
void svg_escape(struct buf *out, const char *s, size_t n);

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };
struct svg_text {
	double x, y;			/* of the anchor, on the base line */
	double size;			/* of the font */
	enum svg_anchor anchor;
	const char *fill;		/* "#222" */
	bool upwards, bold, halo;	/* upwards: from below, turned by a right angle; halo: a white
					 * edge, for text on top of lines */
	double most;			/* em; a longer text ends in "…"; 0: as long as it is */
};

void svg_text(struct buf *out, const struct svg_text *how, const char *text);
/* The beginning of a path, up to its d="; svg_at() and "\"/>\n" follow.  fill may be "none". */
void svg_path(struct buf *out, const char *color, double width, const char *fill);
void svg_at(struct buf *out, char command, double x, double y);		/* "M1 2" */
void svg_line(struct buf *out, const char *color, double width, double x, double y, double to_x,
	      double to_y);
void svg_number(struct buf *out, double v);	/* as short as two decimals allow */

#endif
