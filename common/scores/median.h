/*
 * median: medians of numbers.  For an even number of values, the lower median is the smaller of the
 * middle two values, the upper median is the larger one, and the median is their mean.
 */
#ifndef MEDIAN_H
#define MEDIAN_H

#include <stddef.h>

/* A value and its index; for qsort(3), ascending values, and equal ones by their indices. */
struct placed { double x; size_t at; };
int placed_compare(const void *a, const void *b);

/* Sorts the `n` values in `x` in ascending order.  No value may be NAN. */
void sort_ascending(double *x, size_t n);

/*
 * The median, lower median and upper median of the `n` values in `x`, of which none may be NAN.
 * The values are sorted in place.  Without values, the result is NAN.
 */
double median(double *x, size_t n);
double median_low(double *x, size_t n);
double median_high(double *x, size_t n);

#endif
