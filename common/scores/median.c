/* median: see median.h. */
#include "scores/median.h"

#include <math.h>
#include <stdlib.h>

int
placed_compare(const void *a, const void *b)
{
	const struct placed *p = a, *q = b;

	return p->x != q->x ? (p->x > q->x) - (p->x < q->x) : (p->at > q->at) - (p->at < q->at);
}

static int
ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void
sort_ascending(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), ascending);
}

double
median_low(double *x, size_t n)
{
	sort_ascending(x, n);
	return n ? x[(n - 1) / 2] : NAN;
}

double
median_high(double *x, size_t n)
{
	sort_ascending(x, n);
	return n ? x[n / 2] : NAN;
}

double
median(double *x, size_t n)
{
	const double low = median_low(x, n);

	return n ? (low + x[n / 2]) / 2 : NAN;
}
