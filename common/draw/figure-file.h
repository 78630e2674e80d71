/*
 * figure-file: saves a figure, given as SVG, as a file of a chosen format and width.
 *
 * Programs that draw figures use it for their options --to svg, png or pdf, and --width.
 */
#ifndef FIGURE_FILE_H
#define FIGURE_FILE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

enum figure_form { FIGURE_SVG, FIGURE_PNG, FIGURE_PDF };

struct figure_file {
	enum figure_form form;
	double width;			/* in inches; 0: the width of the SVG, at 96 pixels an
					 * inch */
	double scale;			/* only for FIGURE_PNG with width 0: PNG pixels for each SVG
					 * pixel */
};

extern const char *const figure_file_forms[];	/* the values of --to: svg, png, pdf, name; then
						 * NULL */
enum { FIGURE_BY_NAME = FIGURE_PDF + 1 };	/* index of "name": the suffix of the output file
						 * chooses the form */
/*
 * Sets *chosen to the form of the file `output`; NULL means standard output.  `form` is an index of
 * figure_file_forms.  With FIGURE_BY_NAME, standard output, files in /dev and names without suffix
 * get SVG.  Returns -1 with EXIT_USAGE if `form` is FIGURE_BY_NAME and the name has another suffix,
 * or if the form is PNG or PDF and heed was built without librsvg.
 */
int figure_file_choose(const char *output, int form, enum figure_form *chosen,
		       struct err *e) MUST_USE;

enum { FIGURE_PNG_INCH = 300 };		/* resolution of a PNG of a given width, in pixels per
					 * inch */
/*
 * SVG pixels per inch of a drawing that is laid out for the width at which it will be printed.
 * Text of 12 pixels is then printed at 8 points.
 */
enum { FIGURE_LAYOUT_INCH = 108 };

/*
 * Sets *inches to a length such as 8cm, 80mm, 3.3in, 240pt or 400px.  Returns -1 with EXIT_USAGE if
 * `text` is not a length, or not between 1 and 200 cm.
 */
int figure_file_length(const char *text, double *inches, struct err *e) MUST_USE;
/*
 * Writes a figure to the file `output`, or to standard output if `output` is NULL.  `svg` must
 * begin with the result of svg_begin() (svg.h).  With `force`, PNG and PDF are written even if
 * standard output is a terminal.  Returns -1 with EXIT_USAGE for PNG and PDF without librsvg, with
 * EXIT_INPUT if the image would be too large, or as output_all().
 */
int figure_file_save(const struct buf *svg, const struct figure_file *file, const char *output,
		     bool force, struct err *e) MUST_USE;

#endif
