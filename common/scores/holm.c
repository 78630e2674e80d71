/* holm: see holm.h. */
#include "scores/holm.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

struct ranked { double p; size_t at; };

static int
by_p(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->at > y->at) - (x->at < y->at);
}

void
holm_adjust(const double *p, size_t n, double *out, double *factor)
{
	struct ranked *r = xcalloc(n + 1, sizeof(*r));
	double above = 0;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isnan(p[i]))
			r[m++] = (struct ranked){ .p = p[i], .at = i };
		out[i] = NAN;
		if (factor)
			factor[i] = NAN;
	}
	qsort(r, m, sizeof(*r), by_p);
	for (size_t k = 0; k < m; k++) {
		above = fmax(above, fmin(1, r[k].p * (double)(m - k)));
		out[r[k].at] = above;
		if (factor)
			factor[r[k].at] = (double)(m - k);
	}
	free(r);
}
