/* holm: p-values adjusted for multiple testing. */
#ifndef HOLM_H
#define HOLM_H

#include <stddef.h>

/*
 * Holm's step-down method (1979) for n p-values: if the hypotheses with adjusted values below a
 * level are rejected, the probability of any false rejection is at most that level.  Sets `out[i]`
 * to the adjusted value and, unless `factor` is NULL, `factor[i]` to m - rank + 1, where m is the
 * number of values that are not NAN: p[i] is compared with the level divided by this factor.  NANs
 * remain NAN in both.  `out` may be p.
 */
void holm_adjust(const double *p, size_t n, double *out, double *factor);

#endif
