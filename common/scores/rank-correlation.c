/* rank-correlation: Spearman's and Kendall's coefficients; see rank-correlation.h. */
#include "scores/rank-correlation.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "scores/median.h"

/* --- ranks --- */

static struct placed *
sorted(const double *x, size_t n)
{
	struct placed *p = xcalloc(n + 1, sizeof(*p));

	for (size_t i = 0; i < n; i++)
		p[i] = (struct placed){ x[i], i };
	qsort(p, n, sizeof(*p), placed_compare);
	return p;
}

double
ranks_of(const double *x, size_t n, double *rank)
{
	struct placed *p = sorted(x, n);
	double ties = 0;

	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && p[to].x == p[from].x; to++)
			;
		for (size_t i = from; i < to; i++)
			rank[p[i].at] = (double)(from + 1 + to) / 2;
		ties += (double)(to - from) * (double)(to - from - 1) / 2;
	}
	free(p);
	return ties;
}

/* --- coefficients --- */

/*
 * Two measures of the same items, as ranks minus their mean rank, sorted by the first measure.
 */
struct pair {
	size_t n;
	double *x, *y;
	double *now;			/* the current permutation of y */
	double *sorted, *room;
	double rho_scale, tau_scale;	/* coefficient = sum / scale */
};

static void
pair_init(struct pair *a, const double *x, const double *y, size_t n)
{
	const double mean = ((double)n + 1) / 2, pairs = (double)n * ((double)n - 1) / 2;
	struct placed *order = sorted(x, n);
	double *rank = xcalloc(n + 1, sizeof(*rank)), xx = 0, yy = 0, untied;

	*a = (struct pair){ .n = n, .x = xcalloc(n + 1, sizeof(double)),
			    .y = xcalloc(n + 1, sizeof(double)),
			    .now = xcalloc(n + 1, sizeof(double)),
			    .sorted = xcalloc(n + 1, sizeof(double)),
			    .room = xcalloc(n + 1, sizeof(double)) };
	untied = pairs - ranks_of(x, n, rank);
	for (size_t i = 0; i < n; i++)
		a->x[i] = rank[order[i].at] - mean;
	a->tau_scale = sqrt(untied * (pairs - ranks_of(y, n, rank)));
	for (size_t i = 0; i < n; i++)
		a->y[i] = rank[order[i].at] - mean;
	for (size_t i = 0; i < n; i++) {
		xx += a->x[i] * a->x[i];
		yy += a->y[i] * a->y[i];
	}
	a->rho_scale = sqrt(xx * yy);
	free(rank);
	free(order);
}

static void
pair_release(struct pair *a)
{
	free(a->x);
	free(a->y);
	free(a->now);
	free(a->sorted);
	free(a->room);
}

static double
rho_sum(const struct pair *a)
{
	double sum = 0;

	for (size_t i = 0; i < a->n; i++)
		sum += a->x[i] * a->now[i];
	return sum;
}

/* Sorts y[0..n).  Returns the number of its pairs in rising order minus those in falling order. */
static double
sort_pairs(double *y, size_t n, double *room)
{
	const size_t half = n / 2;
	const double *right = y + half;
	size_t below = 0, not_above = 0;
	double sum;

	if (n < 2)
		return 0;
	sum = sort_pairs(y, half, room) + sort_pairs(y + half, n - half, room);
	for (size_t k = 0; k < half; k++) {
		while (below < n - half && right[below] < y[k])
			below++;
		while (not_above < n - half && right[not_above] <= y[k])
			not_above++;
		sum += (double)(n - half - not_above) - (double)below;
	}
	for (size_t i = 0, k = 0, l = half; i < n; i++)
		room[i] = l == n || (k < half && y[k] <= y[l]) ? y[k++] : y[l++];
	memcpy(y, room, n * sizeof(*y));
	return sum;
}

static double
rank_correlation_count_pairs(struct pair *a, size_t from, size_t to)
{
	memcpy(a->sorted, a->now + from, (to - from) * sizeof(*a->sorted));
	return sort_pairs(a->sorted, to - from, a->room);
}

/* C - D over all pairs that are not tied in x. */
static double
tau_sum(struct pair *a)
{
	double sum = rank_correlation_count_pairs(a, 0, a->n);

	for (size_t from = 0, to; from < a->n; from = to) {
		for (to = from + 1; to < a->n && a->x[to] == a->x[from]; to++)
			;
		if (to - from > 1)
			sum -= rank_correlation_count_pairs(a, from, to);
	}
	return sum;
}

/* --- permutations --- */

struct counting {
	struct pair *a;
	double rho, tau;		/* absolute values of the observed sums */
	double rho_reached, tau_reached, all;
};

/* Counts a permutation.  Sums of ranks are multiples of 1/4; the tolerance absorbs rounding. */
static void
rank_correlation_count(struct counting *c)
{
	c->rho_reached += fabs(rho_sum(c->a)) >= c->rho - 1e-6;
	c->tau_reached += fabs(tau_sum(c->a)) >= c->tau - 0.5;
	c->all++;
}

static void
rank_correlation_swap(double *x, double *y)
{
	const double z = *x;

	*x = *y;
	*y = z;
}

/* All orders of the first k (Heap 1963, Permutations by interchanges). */
static void
count_all(struct counting *c, size_t k)
{
	double *y = c->a->now;

	if (k < 2) {
		rank_correlation_count(c);
		return;
	}
	for (size_t i = 0; i < k; i++) {
		count_all(c, k - 1);
		if (i + 1 < k)
			rank_correlation_swap(&y[k % 2 ? 0 : i], &y[k - 1]);
	}
}

static void
count_some(struct counting *c, const struct permutations *p)
{
	struct pair *a = c->a;
	struct rng r;

	rng_init(&r, p->seed, rng_purpose("rank correlation"), p->step);
	rank_correlation_count(c);
	for (int64_t i = 0; i < p->n; i++) {
		for (size_t k = a->n; k > 1; k--)
			rank_correlation_swap(&a->now[k - 1], &a->now[rng_below(&r, (uint32_t)k)]);
		rank_correlation_count(c);
	}
}

static struct rank_correlation
correlate(struct pair *a, const struct permutations *p)
{
	struct counting c = { .a = a };
	double rho, tau;

	memcpy(a->now, a->y, a->n * sizeof(*a->now));
	rho = rho_sum(a);
	tau = tau_sum(a);
	c.rho = fabs(rho);
	c.tau = fabs(tau);
	if (a->n <= RANKS_EXACT)
		count_all(&c, a->n);
	else
		count_some(&c, p);
	return (struct rank_correlation){ rho / a->rho_scale, c.rho_reached / c.all,
					  tau / a->tau_scale, c.tau_reached / c.all };
}

struct rank_correlation
rank_correlate(const double *x, const double *y, size_t n, const struct permutations *p)
{
	struct rank_correlation r = { NAN, NAN, NAN, NAN };
	struct pair a;

	pair_init(&a, x, y, n);
	if (a.rho_scale > 0)
		r = correlate(&a, p);
	pair_release(&a);
	return r;
}
