/*
 * measure: the approximate width of a text, for an unknown font.
 *
 * Widths are in em and those of DejaVu Sans, which is wider than most fonts, so that labels rarely
 * overflow.  East Asian characters are one em wide, combining characters 0.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>

double measure_width(const char *s, size_t n);	/* of n bytes of UTF-8, in em */

/*
 * The number of bytes of s that fit into a width of `em` em.  It never separates a character from
 * its combining marks.
 */
size_t measure_fit(const char *s, size_t n, double em);

#endif
