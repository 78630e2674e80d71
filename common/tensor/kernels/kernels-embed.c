/* kernels-embed: embedding lookup. */
#include "tensor/kernels.h"
#include "tensor/simd.h"

CLONES void
k_embed(int n, real scale, const real *row, const real *bias, const real *position, real *y)
{
	for (int i = 0; i < n; i++) {
		real v = row ? scale * row[i] : 0;

		if (row && bias)
			v += bias[i];
		if (position)
			v += position[i];
		y[i] = v;
	}
}
