/* holm: p-values adjusted for multiple testing. */
#ifndef HOLM_H
#define HOLM_H

#include <stddef.h>

/*
 * Holm's step-down method (1979) for n p-values: the probability of any false positive among the
 * values below a level is at most that level.  Sets `out[i]` to the adjusted value and, unless
 * `factor` is NULL, `factor[i]` to m - rank + 1: p[i] is compared with the level divided by this
 * factor.  NANs stay NAN in both, and do not count among the m values.  `out` may be p.
 */
void holm_adjust(const double *p, size_t n, double *out, double *factor);

#endif
