/* kernels-element: element-wise functions. */
#include <float.h>
#include <math.h>

#include "base/rng.h"
#include "tensor/fast/fast.h"
#include "tensor/kernels.h"
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
log_of(real factor, real x)
{
	return LOG(factor * (x > LEAST ? x : LEAST));
}

void
k_divergence(size_t n, real factor, const real *x, real *y)
{
	for (size_t i = 0; i < n; i++)
		y[i] = x[i] * log_of(factor, x[i]);
}

void
k_divergence_back(size_t n, real factor, const real *x, const real *g, real beta, real *dx)
{
	for (size_t i = 0; i < n; i++)
		BACK(i, g[i] * (log_of(factor, x[i]) + 1));
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

/* --- operations on a row after a matrix product, while it is in the cache --- */

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

/*
 * --- small matrix products ---
 *
 * For attention of one sentence and one head, where packing would cost more than the product.
 */

void
slow_small(const struct small *s)
{
	for (int i = 0; i < s->m; i++) {
		for (int j = 0; j < s->n; j++) {
			double sum = 0;
			real *c = s->c + i * s->ldc + j;

			for (int p = 0; p < s->k; p++)
				sum += (double)s->a[i * s->as + p * s->ap] * s->b[p * s->ldb + j];
			*c = (real)(s->alpha * sum + (s->beta != 0 ? s->beta * *c : 0));
		}
	}
}

void
slow_transpose(int m, int n, const real *x, ptrdiff_t ld, real *y, ptrdiff_t ldt, int pad)
{
	for (int j = 0; j < n; j++) {
		for (int i = 0; i < m; i++)
			y[j * ldt + i] = x[i * ld + j];
		for (int i = m; i < pad; i++)
			y[j * ldt + i] = 0;
	}
}

/*
 * --- dropout masks ---
 *
 * They are a function of (seed, step, node, row, column).  One call of Philox gives four words, or
 * eight 16-bit random numbers.  Sixteen calls in the lanes of a vector give those of a chunk of 128
 * columns.  Call l of chunk c has the counter (row, 16 c + l, step, node).  The lower half of its
 * word w is for column 32 w + l of the chunk, the upper half for column 32 w + 16 + l.
 */

#define CALLS 16

void
dropout_init(struct dropout *d, uint64_t seed, uint32_t step, uint32_t node, double p)
{
	d->key[0] = (uint32_t)seed ^ rng_purpose("dropout");
	d->key[1] = (uint32_t)(seed >> 32);
	d->step = step;
	d->node = node;
	for (int r = 0; r < 10; r++) {
		d->round_key[r][0] = d->key[0] + (uint32_t)r * 0x9e3779b9u;
		d->round_key[r][1] = d->key[1] + (uint32_t)r * 0xbb67ae85u;
	}
	d->threshold = p > 0 ? (uint32_t)lrint(p * 65536) : 0;
	if (d->threshold > 65535)
		d->threshold = 65535;
	d->scale = (real)(65536.0 / (65536.0 - d->threshold));
}

void
slow_dropout_mask(const struct dropout *d, uint32_t row, int n, real *m)
{
	for (int i = 0; i < n; i++) {
		int in = i % DROPOUT_CHUNK;
		uint32_t c[4] = { row, (uint32_t)(i / DROPOUT_CHUNK * CALLS + in % CALLS), d->step,
				  d->node };
		uint32_t out[4], u;

		philox(d->key, c, out);
		u = in / CALLS % 2 ? out[in / 32] >> 16 : out[in / 32] & 0xffff;
		m[i] = u < d->threshold ? 0 : d->scale;
	}
}

void
k_residual(const struct dropout *d, const uint8_t *kept, int n, const real *x, const real *y,
	   real *z)
{
	if (d->threshold)
		FASTEST(k_add_dropped)(d, kept, n, x, y, z);
	else
		k_add((size_t)n, x, y, z);
}

size_t
dropout_bytes(int n)
{
	return ((size_t)n + DROPOUT_CHUNK - 1) / DROPOUT_CHUNK * (DROPOUT_CHUNK / 8);
}
