/* chart: the inner loops of the cubic-time tree decoders; see chart.h. */
#include "parser/chart.h"

#include <math.h>

#include "base/compiler.h"

CLONES void
chart_push(float add, const float *restrict row, int k, float *restrict best,
	   int *restrict split, int n)
{
	for (int j = 0; j < n; j++) {
		float v = add + row[j];
		int better = v > best[j];

		best[j] = better ? v : best[j];
		split[j] = better ? k : split[j];
	}
}

CLONES void
chart_raise(float add, const float *restrict row, float *restrict best, int n)
{
	for (int j = 0; j < n; j++) {
		float v = add + row[j];

		best[j] = v > best[j] ? v : best[j];
	}
}

CLONES void
chart_clear(float *best, int n)
{
	for (int j = 0; j < n; j++)
		best[j] = -INFINITY;
}

void
chart_empty(float *best, int *split, int k, int n)
{
	chart_clear(best, n);
	for (int j = 0; j < n; j++)
		split[j] = k;
}
