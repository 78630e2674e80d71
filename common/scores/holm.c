/* holm: see holm.h. */
#include "scores/holm.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "scores/median.h"

void
holm_adjust(const double *p, size_t n, double *out, double *factor)
{
	struct placed *r = xcalloc(n + 1, sizeof(*r));
	double above = 0;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isnan(p[i]))
			r[m++] = (struct placed){ p[i], i };
		out[i] = NAN;
		if (factor)
			factor[i] = NAN;
	}
	qsort(r, m, sizeof(*r), placed_compare);
	for (size_t k = 0; k < m; k++) {
		above = fmax(above, fmin(1, r[k].x * (double)(m - k)));
		out[r[k].at] = above;
		if (factor)
			factor[r[k].at] = (double)(m - k);
	}
	free(r);
}
