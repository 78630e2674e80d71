/* png: a drawing as pixels, by librsvg and cairo where the programs were built with them. */
#ifndef PNG_H
#define PNG_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Adds an SVG of so many pixels, drawn scale times as large, to out as PNG.  EXIT_USAGE where this
 * cannot be done at all; EXIT_INPUT if it becomes too large.
 */
int png_draw(const struct buf *svg, double width, double height, double scale, struct buf *out,
	     struct err *e) MUST_USE;
int png_check(struct err *e) MUST_USE;		/* can it be done at all? */

#endif
