/* moments: the mean and standard deviation in tables of results. */
#ifndef MOMENTS_H
#define MOMENTS_H

#include <stddef.h>

/* Mean and standard deviation (with divisor n - 1; 0 for n < 2) of n > 0 values. */
struct moments { double mean, deviation; };
struct moments moments_of(const double *x, size_t n);

#endif
