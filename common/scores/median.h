/*
 * median: medians of numbers.  For an even number of values, the lower median is the smaller of the
 * middle two, the upper median the larger, and the median their mean.
 */
#ifndef MEDIAN_H
#define MEDIAN_H

#include <stddef.h>

/* Sorts x[0..n) in ascending order; NAN is not allowed. */
void sort_ascending(double *x, size_t n);

/* These sort x[0..n), without NAN.  The result is NAN for n = 0. */
double median(double *x, size_t n);
double median_low(double *x, size_t n);
double median_high(double *x, size_t n);

#endif
