/*
 * png: converts SVG to PNG and PDF with librsvg and cairo, if heed was built with these libraries.
 */
#ifndef PNG_H
#define PNG_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Appends a drawing to `out` as PNG.  `width` and `height` are those of the SVG, in its pixels; the
 * PNG has `scale` pixels for each of these.  Returns -1 with EXIT_USAGE if heed was built without
 * librsvg, and with EXIT_INPUT if the image would be too large.
 */
int png_draw(const struct buf *svg, double width, double height, double scale, struct buf *out,
	     struct err *e) MUST_USE;
/*
 * Appends a drawing to `out` as a PDF with one page.  `width` and `height` are the size of the page
 * in points of 1/72 inch.  Returns -1 as png_draw().
 */
int png_draw_pdf(const struct buf *svg, double width, double height, struct buf *out,
		 struct err *e) MUST_USE;
/* Returns -1 with EXIT_USAGE if heed was built without librsvg. */
int png_check(struct err *e) MUST_USE;

#endif
