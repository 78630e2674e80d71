/*
 * kernels-spans: sums over all binary trees of a sentence, and the probability of each span.
 *
 * This is the inside algorithm and its derivative (Baker 1979; Eisner 2016, Inside-outside and
 * forward-backward algorithms are just backprop).  The chart has I(i,j) at [i,j] and at [j,i], so
 * that both children of a span are read along rows.
 */
#include "tensor/kernels.h"

#include <math.h>

#include "base/compiler.h"

/* Scores of the splits k = i+1 ... j-1 of span (i,j), minus their maximum, which is returned. */
CLONES static real
splits(int n, const real *chart, int i, int j, real *t)
{
	const real *left = chart + (ptrdiff_t)i * (n + 1) + i + 1;
	const real *right = chart + (ptrdiff_t)j * (n + 1) + i + 1;
	int m = j - i - 1;
	real max = -INFINITY;

	for (int k = 0; k < m; k++) {
		t[k] = left[k] + right[k];
		max = t[k] > max ? t[k] : max;
	}
	if (max > -INFINITY)
		for (int k = 0; k < m; k++)
			t[k] -= max;
	return max;
}

real
k_inside(int n, const real *score, ptrdiff_t ld, real *chart, real *room)
{
	for (int i = 0; i < n; i++)
		chart[(ptrdiff_t)i * (n + 1) + i + 1] = chart[(ptrdiff_t)(i + 1) * (n + 1) + i] = 0;
	for (int width = 2; width <= n; width++)
		for (int i = 0; i + width <= n; i++) {
			int j = i + width;
			real max = splits(n, chart, i, j, room), inside;

			k_exp((size_t)width - 1, room, room);
			inside = score[i * ld + j] + max +
				 (real)log(k_sum((size_t)width - 1, room));
			chart[(ptrdiff_t)i * (n + 1) + j] = inside;
			chart[(ptrdiff_t)j * (n + 1) + i] = inside;
		}
	return n > 1 ? chart[n] : 0;
}

/*
 * Distributes the probability of a span over its splits.  That of left children is stored above the
 * diagonal, that of right children below.
 */
static void
hand_down(int n, const real *chart, int i, int j, real *prob, real *room)
{
	real *left = prob + (ptrdiff_t)i * (n + 1) + i + 1;
	real *right = prob + (ptrdiff_t)j * (n + 1) + i + 1;
	real g = prob[(ptrdiff_t)i * (n + 1) + j];
	double sum;
	int m = j - i - 1;

	splits(n, chart, i, j, room);
	k_exp((size_t)m, room, room);
	sum = k_sum((size_t)m, room);
	for (int k = 0; k < m; k++) {
		real w = (real)((double)g * (double)room[k] / sum);

		left[k] += w;
		right[k] += w;
	}
}

void
k_inside_back(int n, const real *chart, real *prob, real *room)
{
	k_zero((size_t)(n + 1) * (size_t)(n + 1), prob);
	if (n > 1)
		prob[n] = 1;
	for (int width = n; width >= 2; width--)
		for (int i = 0; i + width <= n; i++) {
			int j = i + width;

			prob[(ptrdiff_t)i * (n + 1) + j] += prob[(ptrdiff_t)j * (n + 1) + i];
			if (prob[(ptrdiff_t)i * (n + 1) + j] > 0)
				hand_down(n, chart, i, j, prob, room);
		}
}
