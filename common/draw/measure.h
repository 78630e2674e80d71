/*
 * measure: the approximate width of a text in a font that is not known.
 *
 * Widths are in em, the size of the font.  Those of DejaVu Sans are used, which is wider than most
 * fonts, so that labels rarely overflow.  East Asian characters are 1 em wide, and combining
 * characters 0 em.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>

double measure_width(const char *s, size_t n);	/* the width of `n` bytes of UTF-8, in em */

/*
 * The number of the first bytes of `s` that fit into a width of `em` em.  The cut never separates a
 * character from its combining marks.  `n` is the number of bytes of `s`.
 */
size_t measure_fit(const char *s, size_t n, double em);
/*
 * The number of bytes of the first line of a text that is broken at blanks into lines of `em` em.
 * A word that is wider is broken, too.  0 only for an empty text.
 */
size_t measure_line(const char *s, double em);

#endif
