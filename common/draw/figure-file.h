/*
 * figure-file: a figure as a file of some format and size, from its SVG.
 *
 * Programs that draw figures share it: --to svg, png and pdf, and --width.
 */
#ifndef FIGURE_FILE_H
#define FIGURE_FILE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

enum figure_form { FIGURE_SVG, FIGURE_PNG, FIGURE_PDF };

struct figure_file {
	enum figure_form form;
	double width;			/* in inches; 0: that of the SVG, with 96 pixels an inch */
	double scale;			/* PNG: pixels for each SVG pixel, if there is no width */
};

extern const char *const figure_file_forms[];	/* the names, for an option: svg, png, pdf, name */
enum { FIGURE_BY_NAME = FIGURE_PDF + 1 };	/* the form is given by the suffix of the output
						 * file */
/*
 * Sets *chosen to the form of the file `output`, which is NULL for standard output.  `form` is an
 * index of figure_file_forms.  Returns -1 with EXIT_USAGE for FIGURE_BY_NAME and a name with
 * another suffix, and for PNG and PDF without librsvg.
 */
int figure_file_choose(const char *output, int form, enum figure_form *chosen,
		       struct err *e) MUST_USE;

enum { FIGURE_PNG_INCH = 300 };		/* pixels of a PNG for each inch of its width */
/*
 * Pixels for each inch of a drawing that is laid out for its width: text of 12 pixels then has 8
 * points.
 */
enum { FIGURE_LAYOUT_INCH = 108 };

/*
 * Reads a length such as 8cm, 80mm, 3.3in, 240pt or 400px, between 1 and 200 cm, as inches.
 * Returns -1 with EXIT_USAGE for other texts.
 */
int figure_file_length(const char *text, double *inches, struct err *e) MUST_USE;
/*
 * Writes a figure to the file `output`, or to standard output if it is NULL.  `svg` was made with
 * svg_begin() of svg.h.  With `force`, PNG and PDF are also written to a terminal.  Returns -1 with
 * EXIT_USAGE for PNG and PDF without librsvg, EXIT_INPUT if the image would be too large, and as
 * output_all() does.
 */
int figure_file_save(const struct buf *svg, const struct figure_file *file, const char *output,
		     bool force, struct err *e) MUST_USE;

#endif
