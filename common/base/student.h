/* student: how probable differences of a few measurements are by chance. */
#ifndef STUDENT_H
#define STUDENT_H

#include <stddef.h>

/* Mean and standard deviation (by n - 1; 0 for n < 2) of n > 0 numbers. */
struct moments { double mean, deviation; };
struct moments moments_of(const double *x, size_t n);

/*
 * The probability that Student's t with df > 0 degrees of freedom reaches t or more: a half at 0.
 * By the incomplete beta function, P = I(df / (df + t t); df/2, 1/2) / 2 for t >= 0, as a continued
 * fraction (Abramowitz and Stegun 26.5.8, 26.7.1).
 */
double student_above(double t, double df);

#endif
