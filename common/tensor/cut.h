/* cut: numbers dealt to pieces of work, by shape alone. */
#ifndef CUT_H
#define CUT_H

#include <stdint.h>

static inline int
least(int a, int b)
{
	return a < b ? a : b;
}

static inline int
pieces(int n, int each)
{
	return (n + each - 1) / each;
}

/* Where share i begins when n numbers are dealt to n_shares in whole units. */
static inline int
cut(int n, int unit, int n_shares, int i)
{
	return least((int)((int64_t)pieces(n, unit) * i / n_shares) * unit, n);
}

#endif
