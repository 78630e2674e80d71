/* kernels-distance: scores by the distance between query and key, and their gradients. */
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
