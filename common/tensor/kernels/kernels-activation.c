/*
 * kernels-activation: swish and the two forms of gelu; see kernels.h.  The fast ones are in
 * fast-element.h.
 */
#include "tensor/kernels.h"

#include <math.h>

#include "tensor/fast/fast.h"

static double
sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

static double
normal(double x)
{
	return 0.5 * erfc(-x * M_SQRT1_2);
}

static double
swish_slope(double x)
{
	return sigmoid(x) * (1 + x * (1 - sigmoid(x)));
}

static double
gelu_slope(double x)
{
	return normal(x) + x * exp(-x * x / 2) / sqrt(2 * M_PI);
}

static double
gelu_curve(double x)
{
	return tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x));
}

static double
gelu_tanh_slope(double x)
{
	const double t = gelu_curve(x);

	return (1 + t) / 2 +
	       x / 2 * (1 - t * t) * sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
}

static real
back(double g, double slope, real beta, real dx)
{
	return (real)(g * slope + (beta != 0 ? (double)beta * (double)dx : 0));
}

void
slow_swish(size_t n, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = (real)((double)x[i] * sigmoid((double)x[i]));
}

void
slow_swish_back(size_t n, const real *x, const real *g, real beta, real *dx)
{
	for (size_t i = 0; i < n; i++)
		dx[i] = back((double)g[i], swish_slope((double)x[i]), beta, dx[i]);
}

void
slow_gelu(size_t n, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = (real)((double)x[i] * normal((double)x[i]));
}

void
slow_gelu_back(size_t n, const real *x, const real *g, real beta, real *dx)
{
	for (size_t i = 0; i < n; i++)
		dx[i] = back((double)g[i], gelu_slope((double)x[i]), beta, dx[i]);
}

void
slow_gelu_tanh(size_t n, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = (real)((double)x[i] / 2 * (1 + gelu_curve((double)x[i])));
}

void
slow_gelu_tanh_back(size_t n, const real *x, const real *g, real beta, real *dx)
{
	for (size_t i = 0; i < n; i++)
		dx[i] = back((double)g[i], gelu_tanh_slope((double)x[i]), beta, dx[i]);
}

void
k_swish(size_t n, const real *x, real *y)
{
	FASTEST(k_swish)(n, x, y);
}

void
k_swish_back(size_t n, const real *x, const real *g, real beta, real *dx)
{
	FASTEST(k_swish_back)(n, x, g, beta, dx);
}

void
k_gelu(size_t n, const real *x, real *y)
{
	FASTEST(k_gelu)(n, x, y);
}

void
k_gelu_back(size_t n, const real *x, const real *g, real beta, real *dx)
{
	FASTEST(k_gelu_back)(n, x, g, beta, dx);
}

void
k_gelu_tanh(size_t n, const real *x, real *y)
{
	FASTEST(k_gelu_tanh)(n, x, y);
}

void
k_gelu_tanh_back(size_t n, const real *x, const real *g, real beta, real *dx)
{
	FASTEST(k_gelu_tanh_back)(n, x, g, beta, dx);
}
