/*
 * measure: how wide a text will be, without knowing the font that will draw it.
 *
 * Widths are in em, those of DejaVu Sans, which is wider than most: labels are given too much room
 * rather than too little.  East Asian characters take a whole em, combining ones nothing.
 */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>

double measure_width(const char *s, size_t n);

/*
 * How many bytes of s fit into so many em; never between a character and the marks that combine
 * with it.
 */
size_t measure_fit(const char *s, size_t n, double em);

#endif
