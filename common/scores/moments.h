/* moments: the mean and standard deviation in tables of results. */
#ifndef MOMENTS_H
#define MOMENTS_H

#include <stddef.h>

/*
 * The mean and the standard deviation of the `n` values in `x`; `n` must be positive.  The
 * deviation has the divisor n - 1, and is 0 for one value.
 */
struct moments { double mean, deviation; };
struct moments moments_of(const double *x, size_t n);

#endif
