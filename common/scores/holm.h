/* holm: adjusts p-values for multiple testing. */
#ifndef HOLM_H
#define HOLM_H

#include <stddef.h>

/*
 * Adjusts the `n` p-values in `p` by Holm's step-down method (1979).  If all null hypotheses with
 * adjusted values below a level are rejected, the probability of any false rejection is at most
 * that level.  Sets out[i] to the adjusted value of p[i], at most 1.  Unless `factor` is NULL, sets
 * factor[i] to the number of values that are not NAN, minus the rank of p[i] among them (from 1),
 * plus 1; the method compares p[i] with the level divided by this factor.  Where p[i] is NAN, both
 * are NAN.  `out` may be equal to `p`.
 */
void holm_adjust(const double *p, size_t n, double *out, double *factor);

#endif
