/*
 * kernels-activation: slow_gelu() and others, with which the tests compare k_gelu().  Programs use
 * k_gelu(), which is in fast-element.h for all processors.
 */
#include "tensor/kernels.h"

#include <math.h>

static double
sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

static double
swish(double x)
{
	return x * sigmoid(x);
}

static double
swish_slope(double x)
{
	return sigmoid(x) * (1 + x * (1 - sigmoid(x)));
}

static double
normal(double x)
{
	return 0.5 * erfc(-x * M_SQRT1_2);
}

static double
gelu(double x)
{
	return x * normal(x);
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
gelu_tanh(double x)
{
	return x / 2 * (1 + gelu_curve(x));
}

static double
gelu_tanh_slope(double x)
{
	const double t = gelu_curve(x);

	return (1 + t) / 2 +
	       x / 2 * (1 - t * t) * sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
}

#define SLOW(name) \
void \
slow_##name(size_t n, const real *x, real *y) \
{ \
	for (size_t i = 0; i < n; i++) \
		y[i] = (real)name((double)x[i]); \
} \
\
void \
slow_##name##_back(size_t n, const real *x, const real *g, real beta, real *dx) \
{ \
	for (size_t i = 0; i < n; i++) \
		dx[i] = (real)((double)g[i] * name##_slope((double)x[i]) + \
			       (beta != 0 ? (double)beta * (double)dx[i] : 0)); \
}

ACTIVATIONS(SLOW)
