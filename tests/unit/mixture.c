/*
 * mixture: means compared with values by hand and with the definition; samples with the
 * distribution they are drawn from, by chi-square tests.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "search/ensemble.h"

enum { V = 6, DRAWS = 20000 };

static void
means_are_those_of_probabilities(void **state)
{
	real a[] = { (real)log(0.5), (real)log(0.25), (real)log(0.25), -(real)INFINITY };
	real b[] = { (real)log(0.25), (real)log(0.75), -(real)INFINITY, -(real)INFINITY };
	real copy[4];
	static const double want[] = { 0.375, 0.5, 0.125, 0 };
	real *const rows[] = { a, b }, *const same[] = { copy, a, a };

	(void)state;
	memcpy(copy, a, sizeof(a));
	mixture_mean(same, 3, 0, 4, -(real)INFINITY);
	assert_memory_equal(copy, a, sizeof(a));
	mixture_mean(rows, 2, 0, 4, -(real)INFINITY);
	for (int v = 0; v < 4; v++)
		assert_true(fabs(exp((double)a[v]) - want[v]) < 1e-6);
}

/* The n best of a row. */
static void
list_best(const real *x, int n_x, int n, struct scored *list)
{
	struct best b;

	best_init(&b, list, n);
	slow_best(&b, 0, n_x, x, 0, n_x);
	assert_int_equal(b.n, n);
}

/* With the limit that search.c computes, the best entries are those of all means. */
static void
entries_below_the_limit_are_not_among_the_best(void **state)
{
	enum { N = 200, BEST = 5 };
	struct rng r;
	int excluded = 0;

	(void)state;
	for (uint32_t round = 0; round < 50; round++) {
		real x[3][N], all[3][N];
		real *const rows[] = { x[0], x[1], x[2] };
		real *const full[] = { all[0], all[1], all[2] };
		struct scored list[BEST], want[BEST];
		real least = INFINITY;

		rng_init(&r, 1, rng_purpose("test of mixtures"), round);
		for (int k = 0; k < 3; k++)
			for (int v = 0; v < N; v++)
				all[k][v] = x[k][v] = (real)(-5 + 3 * rng_normal(&r));
		list_best(x[0], N, BEST, list);
		for (int i = 0; i < BEST; i++)
			least = (real)fmin(least, mixture_entry(rows, 3, list[i].id));
		mixture_mean(rows, 3, 0, N, least);
		mixture_mean(full, 3, 0, N, -(real)INFINITY);
		list_best(x[0], N, BEST, list);
		list_best(all[0], N, BEST, want);
		for (int i = 0; i < BEST; i++)
			assert_true(list[i].id == want[i].id && list[i].x == want[i].x);
		for (int v = 0; v < N; v++)
			excluded += !(x[0][v] > -(real)INFINITY);
	}
	assert_true(excluded > 50 * N / 2);
}

/* The chi-square statistic of counts that should be in proportion to p; 0 must not occur. */
static double
chi_square(const int *count, const double *p, int n)
{
	double total = 0, draws = 0, sum = 0;

	for (int i = 0; i < n; i++) {
		total += p[i];
		draws += count[i];
	}
	for (int i = 0; i < n; i++) {
		const double want = draws * p[i] / total;

		if (p[i] == 0)
			assert_int_equal(count[i], 0);
		else
			sum += (count[i] - want) * (count[i] - want) / want;
	}
	return sum;
}

/*
 * Tokens of probability 1/2, 1/4, 1/8, 1/16, 1/32 and 1/32, not in this order, and the weights that
 * they have after the changes.  With 5 degrees of freedom, 25.7 has p = 0.0001.
 */
static void
samples_have_their_distribution(void **state)
{
	static const double p[V] = { 1 / 8.0, 1 / 32.0, 1 / 2.0, 1 / 16.0, 1 / 4.0, 1 / 32.0 };
	static const struct { struct sampling how; int from; double w[V]; } cases[] = {
		{ { 1, 0, 1, 1, 7 }, 0, { 4, 1, 16, 2, 8, 1 } },
		{ { 1, 0, 1, 1, 8 }, 1, { 0, 1, 16, 2, 8, 1 } },
		/* square roots and squares */
		{ { 1, 0, 1, 2, 7 }, 0, { 2, 1, 4, 1.4142135623730951, 2.8284271247461903, 1 } },
		{ { 1, 0, 1, 0.5, 7 }, 0, { 16, 1, 256, 4, 64, 1 } },
		/* of the two last, the first */
		{ { 1, 3, 1, 1, 7 }, 0, { 4, 0, 16, 0, 8, 0 } },
		{ { 1, 5, 1, 1, 7 }, 0, { 4, 1, 16, 2, 8, 0 } },
		{ { 1, 100, 1, 1, 9 }, 0, { 4, 1, 16, 2, 8, 1 } },
		/* 1/2 alone has 0.5, the first two have 0.75 */
		{ { 1, 0, 0.5, 1, 7 }, 0, { 0, 0, 1, 0, 0, 0 } },
		{ { 1, 0, 0.51, 1, 7 }, 0, { 0, 0, 16, 0, 8, 0 } },
		{ { 1, 0, 0.76, 1, 7 }, 0, { 4, 0, 16, 0, 8, 0 } },
		{ { 1, 0, 0, 1, 7 }, 0, { 0, 0, 1, 0, 0, 0 } },
		/* top_p is of the three that top_k retains: 16/28 = 0.57, 24/28 = 0.857 */
		{ { 1, 3, 0.86, 1, 7 }, 0, { 4, 0, 16, 0, 8, 0 } },
		{ { 1, 3, 0.85, 1, 7 }, 0, { 0, 0, 16, 0, 8, 0 } },
		{ { 1, 3, 0.57, 1, 7 }, 0, { 0, 0, 1, 0, 0, 0 } },
		/* and of the tempered distribution: 4 / 12.24 = 0.327, 6.83 / 12.24 = 0.558 */
		{ { 1, 0, 0.55, 2, 7 }, 0, { 0, 0, 4, 0, 2.8284271247461903, 0 } },
	};

	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		struct token_weight room[V];
		int count[V] = { 0 };
		real x[V];

		for (int v = 0; v < V; v++)
			x[v] = (real)log(p[v]);
		for (int i = 0; i < DRAWS; i++) {
			const double u = sampling_uniform(cases[c].how.seed, i / 40, i / 10 % 4,
							  i % 10);

			count[sampling_draw(&cases[c].how, x, cases[c].from, V, u, room)]++;
		}
		assert_true(chi_square(count, cases[c].w, V) < 25.7);
	}
}

static void
excluded_tokens_are_never_drawn(void **state)
{
	const struct sampling s = { .n = 1, .top_p = 1, .temperature = 1 };
	real x[V] = { -(real)INFINITY, -1, -(real)INFINITY, -(real)INFINITY, -1, -(real)INFINITY };
	struct token_weight room[V];

	(void)state;
	assert_int_equal(sampling_draw(&s, x, 0, V, 0, room), 1);
	assert_int_equal(sampling_draw(&s, x, 0, V, 0.49, room), 1);
	assert_int_equal(sampling_draw(&s, x, 0, V, 0.51, room), 4);
	assert_int_equal(sampling_draw(&s, x, 0, V, 0x1.fffffffffffffp-1, room), 4);
	assert_int_equal(sampling_draw(&s, x, 2, 4, 0.5, room), -1);
	x[1] = x[4] = (real)NAN;
	assert_int_equal(sampling_draw(&s, x, 0, V, 0.5, room), -1);
}

/* Of 8,000 numbers at different addresses, none is equal; 15 degrees of freedom, p = 0.0001. */
static void
addresses_have_different_uniform_numbers(void **state)
{
	static const int64_t records[] = { 0, 1, 4294967295, 4294967296, 4294967297 };
	static double seen[8000];
	double p[16];
	int count[16] = { 0 }, n = 0;

	(void)state;
	for (int r = 0; r < 5; r++)
		for (int sample = 0; sample < 40; sample++)
			for (int pos = 0; pos < 40; pos++) {
				const double u = sampling_uniform(3, records[r], sample * 25, pos);

				for (int i = 0; i < n; i++)
					assert_true(seen[i] != u);
				seen[n++] = u;
				count[(int)(16 * u)]++;
			}
	for (int i = 0; i < 16; i++)
		p[i] = 1;
	assert_true(chi_square(count, p, 16) < 44.3);
	assert_true(sampling_uniform(3, 0, 0, 0) != sampling_uniform(4, 0, 0, 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_are_those_of_probabilities),
		cmocka_unit_test(entries_below_the_limit_are_not_among_the_best),
		cmocka_unit_test(samples_have_their_distribution),
		cmocka_unit_test(excluded_tokens_are_never_drawn),
		cmocka_unit_test(addresses_have_different_uniform_numbers),
	};

	return cmocka_run_group_tests_name("mixture", tests, NULL, NULL);
}
