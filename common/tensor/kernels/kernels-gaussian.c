/* kernels-gaussian: a Gaussian bias over the keys of a query, added to its scores. */
#include "tensor/kernels.h"

#include "tensor/simd.h"

CLONES void
k_gaussian(int n, real center, real width, const real *x, real *y)
{
	const real by = -2 / (width * width);

	for (int j = 0; j < n; j++)
		y[j] = x[j] + by * ((real)j - center) * ((real)j - center);
}

/* Independent partial sums, so that the compiler can vectorize the loop with the same result. */
enum { SUMS = 16 };

static real
fold(real *s)
{
	for (int half = SUMS / 2; half; half /= 2)
		for (int i = 0; i < half; i++)
			s[i] += s[i + half];
	return s[0];
}

CLONES struct gaussian_back
k_gaussian_back(int n, real center, real width, const real *g)
{
	const real by = 4 / (width * width);
	real first[SUMS] = { 0 }, second[SUMS] = { 0 };
	int j = 0;

	for (; j + SUMS <= n; j += SUMS)
		for (int i = 0; i < SUMS; i++) {
			real d = (real)(j + i) - center;

			first[i] += g[j + i] * d;
			second[i] += g[j + i] * d * d;
		}
	for (int i = 0; j < n; i++, j++) {
		real d = (real)j - center;

		first[i] += g[j] * d;
		second[i] += g[j] * d * d;
	}
	return (struct gaussian_back){ by * fold(first), by / width * fold(second) };
}

void
slow_gaussian(int n, real center, real width, const real *x, real *y)
{
	for (int j = 0; j < n; j++) {
		double d = ((double)j - center) / width;

		y[j] = (real)(x[j] - 2 * d * d);
	}
}

struct gaussian_back
slow_gaussian_back(int n, real center, real width, const real *g)
{
	double c = 0, w = 0;

	for (int j = 0; j < n; j++) {
		double d = ((double)j - center) / width;

		c += 4 * g[j] * d / width;
		w += 4 * g[j] * d * d / width;
	}
	return (struct gaussian_back){ (real)c, (real)w };
}
