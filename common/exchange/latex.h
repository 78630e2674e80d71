/* latex: writes tables for LaTeX, with the rules of the package booktabs. */
#ifndef LATEX_H
#define LATEX_H

#include <stddef.h>

#include "base/buf.h"

/*
 * Appends n bytes of UTF-8 as a cell or a part of one.  Characters with a meaning in LaTeX are
 * escaped; a hyphen before a number becomes a minus sign.  Of characters outside of ASCII, those
 * that heed's tables have of their own become commands, and all others stay.
 */
void latex_cell(struct buf *out, const char *s, size_t n);

/*
 * Appends tab-separated lines, of which the first is the header, as a tabular: the first column is
 * aligned left, the others right.  Blanks at the end of a cell are dropped.
 */
void latex_table(struct buf *out, const char *lines);

#endif
