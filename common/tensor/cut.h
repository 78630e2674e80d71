/* cut: splits work into parts that depend only on its size, not on the number of threads. */
#ifndef CUT_H
#define CUT_H

#include <stdint.h>

static inline int
int_min(int a, int b)
{
	return a < b ? a : b;
}

/* n / d, rounded up, for n >= 0 and d > 0. */
static inline int
div_up(int n, int d)
{
	return (n + d - 1) / d;
}

/* The smallest multiple of `step` that is at least n. */
static inline int
round_up(int n, int step)
{
	return div_up(n, step) * step;
}

/*
 * The index of the first element of part i, if n elements are split into `n_parts` parts of about
 * the same size.  Parts begin at multiples of `unit`.  Part n_parts begins at n.
 */
static inline int
part_start(int n, int unit, int n_parts, int i)
{
	return int_min((int)((int64_t)div_up(n, unit) * i / n_parts) * unit, n);
}

#endif
