/* kernels-linear: operations on a row after a matrix product, while it is in the cache. */
#include "tensor/kernels.h"
#include "tensor/simd.h"

CLONES void
k_bias(int n, const real *b, real *y)
{
	for (int i = 0; i < n; i++)
		y[i] += b[i];
}

CLONES void
k_bias_relu(int n, const real *b, real *y)
{
	for (int i = 0; i < n; i++) {
		real v = b ? y[i] + b[i] : y[i];

		y[i] = v > 0 ? v : 0;
	}
}

CLONES void
k_linear_relu_back(int n, real scale, const real *y, real *g, real *sum)
{
	for (int i = 0; i < n; i++)
		g[i] = y[i] > 0 ? g[i] * scale : 0;
	if (sum)
		for (int i = 0; i < n; i++)
			sum[i] += g[i];
}

CLONES void
k_linear_relu_back_bf16(int n, real scale, const bf16 *y, real *g, real *sum)
{
	for (int i = 0; i < n; i++)
		g[i] = y[i] ? g[i] * scale : 0;
	if (sum)
		for (int i = 0; i < n; i++)
			sum[i] += g[i];
}
