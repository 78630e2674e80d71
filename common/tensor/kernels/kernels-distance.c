/* kernels-distance: scores by distances between query and key, or a Gaussian; their gradients. */
#include <math.h>

#include "base/compiler.h"
#include "tensor/kernels.h"
#include "tensor/simd.h"

static int
limit(int x, int max)
{
	return x < 0 ? 0 : x > max ? max : x;
}

/*
 * The keys 0 ... near - 1 have the first score, those from `far` on the last one.  Key j between
 * them has score j + by.
 */
struct parts { int near, far, by; };

static struct parts
parts_of(int n, int at, int reach)
{
	return (struct parts){ limit(at - reach, n), limit(at + reach + 1, n), reach - at };
}

CLONES static void
add_one(int n, real one, const real *x, real *y)
{
	for (int i = 0; i < n; i++)
		y[i] = x[i] + one;
}

void
k_add_by_distance(int n, int at, int reach, const real *score, const real *x, real *y)
{
	const struct parts p = parts_of(n, at, reach);

	add_one(p.near, score[0], x, y);
	k_add((size_t)(p.far - p.near), x + p.near, score + (p.near + p.by), y + p.near);
	add_one(n - p.far, score[2 * reach], x + p.far, y + p.far);
}

void
k_sum_by_distance(int n, int at, int reach, const real *x, real *score)
{
	const struct parts p = parts_of(n, at, reach);

	k_zero(2 * (size_t)reach + 1, score);
	k_copy((size_t)(p.far - p.near), x + p.near, score + (p.near + p.by));
	score[0] += (real)k_sum((size_t)p.near, x);
	score[2 * reach] += (real)k_sum((size_t)(n - p.far), x + p.far);
}

static int
slot(int j, int at, int reach)
{
	return limit(j - at + reach, 2 * reach);
}

void
slow_add_by_distance(int n, int at, int reach, const real *score, const real *x, real *y)
{
	for (int j = 0; j < n; j++)
		y[j] = x[j] + score[slot(j, at, reach)];
}

void
slow_sum_by_distance(int n, int at, int reach, const real *x, real *score)
{
	for (int r = 0; r <= 2 * reach; r++) {
		double sum = 0;

		for (int j = 0; j < n; j++)
			sum += slot(j, at, reach) == r ? x[j] : 0;
		score[r] = (real)sum;
	}
}

/* --- a Gaussian over the keys of a query, added to its scores --- */

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
