/* kernels-element: element-wise functions. */
#include "tensor/kernels.h"

#include <float.h>
#include <math.h>

#include "tensor/simd.h"

#ifdef REAL_DOUBLE
#define LOG  log
#define LEAST DBL_MIN
#else
#define LOG  logf
#define LEAST FLT_MIN
#endif

void
k_zero(size_t n, real *y)
{
	memset(y, 0, n * sizeof(*y));
}

void
k_copy(size_t n, const real *x, real *y)
{
	if (n && x != y)
		memcpy(y, x, n * sizeof(*y));
}

CLONES void
k_add(size_t n, const real *a, const real *b, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = a[i] + b[i];
}

CLONES static void
put_scaled(size_t n, real a, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = a * x[i];
}

CLONES static void
add_scaled(size_t n, real a, const real *x, real b, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = a * x[i] + b * y[i];
}

void
k_axpby(size_t n, real a, const real *x, real b, real *y)
{
	if (b == 0)
		put_scaled(n, a, x, y);
	else
		add_scaled(n, a, x, b, y);
}

CLONES void
k_multiply(size_t n, const real *a, const real *b, real beta, real *y)
{
	if (beta == 0) {
		for (size_t i = 0; i < n; i++)
			y[i] = a[i] * b[i];
	} else {
		for (size_t i = 0; i < n; i++)
			y[i] = a[i] * b[i] + beta * y[i];
	}
}

CLONES void
k_relu(size_t n, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = x[i] > 0 ? x[i] : 0;
}

/* dx = value + beta dx.  dx is not read if beta is 0: uninitialized memory may contain NaN. */
#define BACK(i, value) dx[i] = (value) + (beta != 0 ? beta * dx[i] : 0)

CLONES void
k_relu_back(size_t n, const real *y, const real *g, real beta, real *dx)
{
	for (size_t i = 0; i < n; i++)
		BACK(i, y[i] > 0 ? g[i] : 0);
}

void
slow_tanh(size_t n, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = (real)tanh((double)x[i]);
}

CLONES void
k_tanh_back(size_t n, const real *y, const real *g, real beta, real *dx)
{
	for (size_t i = 0; i < n; i++)
		BACK(i, g[i] * (1 - y[i] * y[i]));
}

void
slow_sigmoid(size_t n, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = (real)(1 / (1 + exp(-(double)x[i])));
}

CLONES void
k_sigmoid_back(size_t n, const real *y, const real *g, real beta, real *dx)
{
	for (size_t i = 0; i < n; i++)
		BACK(i, g[i] * y[i] * (1 - y[i]));
}

/* ln(by x); for 0 that of the smallest number, because it is multiplied by 0. */
static real
log_of(real by, real x)
{
	return LOG(by * (x > LEAST ? x : LEAST));
}

void
k_divergence(size_t n, real by, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = x[i] * log_of(by, x[i]);
}

void
k_divergence_back(size_t n, real by, const real *x, const real *g, real beta, real *dx)
{
	for (size_t i = 0; i < n; i++)
		BACK(i, g[i] * (log_of(by, x[i]) + 1));
}

/* Independent partial sums, so that the compiler can vectorize the loop with the same result. */
#define SUMS 32

static inline double
all_sums(double *s)
{
	for (int n = SUMS / 2; n > 0; n /= 2)
		for (int j = 0; j < n; j++)
			s[j] += s[j + n];
	return s[0];
}

CLONES double
k_sum(size_t n, const real *x)
{
	double s[SUMS] = { 0 }, rest = 0;
	size_t i = 0;

	for (; i + SUMS <= n; i += SUMS)
		for (int j = 0; j < SUMS; j++)
			s[j] += x[i + j];
	for (; i < n; i++)
		rest += x[i];
	return all_sums(s) + rest;
}

CLONES double
k_sum_squares(size_t n, const real *x)
{
	double s[SUMS] = { 0 }, rest = 0;
	size_t i = 0;

	for (; i + SUMS <= n; i += SUMS)
		for (int j = 0; j < SUMS; j++)
			s[j] += (double)x[i + j] * x[i + j];
	for (; i < n; i++)
		rest += (double)x[i] * x[i];
	return all_sums(s) + rest;
}

/* Tests the bits of the exponent, without branches. */
CLONES bool
k_finite(size_t n, const real *x)
{
	int bad = 0;

	for (size_t i = 0; i < n; i++)
		bad |= !isfinite(x[i]);
	return !bad;
}
