/* kernels-norm: layer normalization (Ba et al. 2016) of a row. */
#include "tensor/kernels.h"

#include <math.h>

struct norm_row
slow_norm(int n, real eps, const real *x, const real *gain, const real *bias, real *y)
{
	struct norm_row s;
	double mean = 0, var = 0;

	for (int i = 0; i < n; i++)
		mean += x[i];
	mean /= n;
	for (int i = 0; i < n; i++)
		var += (x[i] - mean) * (x[i] - mean);
	s.mean = (real)mean;
	s.rstd = (real)(1 / sqrt(var / n + eps));
	for (int i = 0; i < n; i++)
		y[i] = (real)((x[i] - mean) * s.rstd * gain[i] + bias[i]);
	return s;
}

void
slow_norm_back(int n, struct norm_row s, const real *x, const real *gain, const real *g,
	       real beta, real *dx, real *dgain, real *dbias)
{
	double a = 0, b = 0;

	for (int i = 0; i < n; i++) {
		a += (double)g[i] * gain[i];
		b += (double)g[i] * gain[i] * (x[i] - s.mean) * s.rstd;
	}
	for (int i = 0; i < n; i++) {
		double xhat = (x[i] - s.mean) * s.rstd;

		if (dgain)
			dgain[i] += (real)(g[i] * xhat);
		if (dbias)
			dbias[i] += g[i];
		if (dx)
			dx[i] = (real)(s.rstd * (g[i] * gain[i] - a / n - xhat * b / n) +
				       (beta != 0 ? beta * dx[i] : 0));
	}
}
