/* png: converts SVG to PNG and PDF with librsvg and cairo, if built with them. */
#ifndef PNG_H
#define PNG_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Appends an SVG of width x height pixels to out as PNG, scaled by scale.  Returns -1 with
 * EXIT_USAGE if built without librsvg, or EXIT_INPUT if the image would be too large.
 */
int png_draw(const struct buf *svg, double width, double height, double scale, struct buf *out,
	     struct err *e) MUST_USE;
/* The same as a PDF of one page of width x height points, 72 of which are an inch. */
int png_draw_pdf(const struct buf *svg, double width, double height, struct buf *out,
		 struct err *e) MUST_USE;
/* Returns -1 with EXIT_USAGE if built without librsvg. */
int png_check(struct err *e) MUST_USE;

#endif
