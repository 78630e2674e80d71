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

/* The t that is reached with probability p, 0 < p < 1: the inverse of student_above(). */
double student_point(double p, double df);

/*
 * The smallest true mean of n >= 2 normal differences, in units of their standard deviation, for
 * which a two-sided t test at level alpha finds a difference with probability power: delta /
 * sqrt(n), where the noncentral t distribution with n - 1 degrees of freedom and noncentrality
 * delta has the share power outside of +-student_point(alpha / 2, n - 1) (Cohen 1988, section 2.4).
 */
double student_detectable(size_t n, double alpha, double power);

#endif
