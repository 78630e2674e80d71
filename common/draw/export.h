/*
 * export: a figure as a file of some format and size, from its SVG.
 *
 * Programs that draw figures share it: --to svg, png and pdf, and --width.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include "base/buf.h"
#include "base/err.h"

enum export_form { EXPORT_SVG, EXPORT_PNG, EXPORT_PDF };

struct export {
	enum export_form form;
	double width;			/* in inches; 0: that of the SVG, with 96 pixels an inch */
	double scale;			/* PNG: pixels for each SVG pixel, if there is no width */
};

enum { EXPORT_PNG_INCH = 300 };		/* pixels of a PNG for each inch of its width */

/*
 * Reads a length such as 8cm, 80mm, 3.3in, 240pt or 400px, between 1 and 200 cm, as inches.  -1
 * with EXIT_USAGE.
 */
int export_length(const char *text, double *inches, struct err *e) MUST_USE;
/*
 * Appends the figure to out.  svg was made with svg_begin() of svg.h.  Returns -1 with EXIT_USAGE
 * for PNG and PDF without librsvg, EXIT_INPUT if the image would be too large.
 */
int export_figure(const struct buf *svg, const struct export *how, struct buf *out,
		  struct err *e) MUST_USE;

#endif
