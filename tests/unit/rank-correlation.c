/*
 * rank-correlation: coefficients computed by hand, with ties, and by their definitions on random
 * values; p-values of few items against all permutations, of more items against exact ones.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "scores/rank-correlation.h"

static const struct permutations few = { .n = 100, .seed = 1 };

static void
near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%.15g is not %.15g", a, b);
}

static void
ranks_with_ties(void **state)
{
	static const double x[] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5 };
	static const double expected[] = { 4.5, 1.5, 6, 1.5, 8, 11, 3, 10, 8, 4.5, 8 };
	double rank[11];

	(void)state;
	ranks_of(x, 11, rank);
	for (int i = 0; i < 11; i++)
		near(rank[i], expected[i], 0);
}

/*
 * By hand.  1 2 3 4 5 and 2 1 4 3 5: 1 - 6 * 4 / 120 = 0.8; 8 concordant pairs, 2 discordant: 0.6.
 * 1 2 2 3 and 1 3 2 3 have ranks 1 2.5 2.5 4 and 1 3.5 2 3.5; minus 2.5: -1.5 0 0 1.5 and -1.5 1
 * -.5 1, so 3.75 / sqrt(4.5 * 4.5) = 5 / 6.  5 of 6 pairs are not tied in the first, 5 in the
 * second; 12 13 14 34 are concordant, 24 is tied in the second, none is discordant: 4 / 5.
 */
static void
by_hand(void **state)
{
	static const double a[] = { 1, 2, 3, 4, 5 }, b[] = { 2, 1, 4, 3, 5 },
		c[] = { 9, 7, 5, 3, 1 };
	static const double d[] = { 1, 2, 2, 3 }, f[] = { 1, 3, 2, 3 }, same[] = { 2, 2, 2, 2 };
	struct rank_correlation r = rank_correlate(a, b, 5, &few);

	(void)state;
	near(r.rho, 0.8, 1e-12);
	near(r.tau, 0.6, 1e-12);
	r = rank_correlate(a, c, 5, &few);
	near(r.rho, -1, 1e-12);
	near(r.tau, -1, 1e-12);
	/* Two of 120 orders are as far from 0. */
	near(r.rho_p, 2. / 120, 1e-12);
	near(r.tau_p, 2. / 120, 1e-12);
	r = rank_correlate(d, f, 4, &few);
	near(r.rho, 5. / 6, 1e-12);
	near(r.tau, 0.8, 1e-12);
	r = rank_correlate(d, same, 4, &few);
	assert_true(isnan(r.rho) && isnan(r.rho_p) && isnan(r.tau) && isnan(r.tau_p));
	r = rank_correlate(d, f, 1, &few);
	assert_true(isnan(r.rho));
	assert_true(isnan(rank_correlate(d, f, 0, &few).tau));
	assert_true(rank_correlate(d, f, 2, &few).rho == 1);
}

/*
 * Three items: against 1 2 3, the six orders of 1 2 3 have rho 1 .5 .5 -.5 -.5 -1 and tau 1 1/3 1/3
 * -1/3 -1/3 -1.
 */
static void
three_things(void **state)
{
	static const double a[] = { 1, 2, 3 }, b[] = { 1, 3, 2 };

	(void)state;
	near(rank_correlate(a, a, 3, &few).rho_p, 2. / 6, 1e-12);
	near(rank_correlate(a, a, 3, &few).tau_p, 2. / 6, 1e-12);
	near(rank_correlate(a, b, 3, &few).rho, 0.5, 1e-12);
	near(rank_correlate(a, b, 3, &few).rho_p, 1, 1e-12);
	near(rank_correlate(a, b, 3, &few).tau_p, 1, 1e-12);
}

/* Small integers, so that there are ties. */
static void
draw(struct rng *r, double *x, size_t n, uint32_t below)
{
	for (size_t i = 0; i < n; i++)
		x[i] = (double)rng_below(r, below) - 3;
}

static double
slow_tau(const double *x, const double *y, size_t n)
{
	double sum = 0, xs = 0, ys = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			const int a = (x[i] > x[j]) - (x[i] < x[j]),
				b = (y[i] > y[j]) - (y[i] < y[j]);

			sum += a * b;
			xs += a * a;
			ys += b * b;
		}
	return sum / sqrt(xs * ys);
}

static double
slow_rank(const double *x, size_t n, size_t i)
{
	double rank = 0.5;

	for (size_t j = 0; j < n; j++)
		rank += x[j] < x[i] ? 1 : x[j] == x[i] ? 0.5 : 0;
	return rank;
}

static double
slow_rho(const double *x, const double *y, size_t n)
{
	const double mean = ((double)n + 1) / 2;
	double xy = 0, xx = 0, yy = 0;

	for (size_t i = 0; i < n; i++) {
		const double a = slow_rank(x, n, i) - mean, b = slow_rank(y, n, i) - mean;

		xy += a * b;
		xx += a * a;
		yy += b * b;
	}
	return xy / sqrt(xx * yy);
}

static void
by_definition(void **state)
{
	struct rng r;

	(void)state;
	rng_init(&r, 3, rng_purpose("ranks"), 0);
	for (int k = 0; k < 200; k++) {
		const size_t n = 2 + rng_below(&r, 30);
		double x[40], y[40];
		struct rank_correlation c;

		draw(&r, x, n, 2 + rng_below(&r, 40));
		draw(&r, y, n, 2 + rng_below(&r, 40));
		c = rank_correlate(x, y, n, &(struct permutations){ .n = 1 });
		if (isnan(c.rho)) {
			assert_true(isnan(slow_rho(x, y, n)));
			continue;
		}
		near(c.rho, slow_rho(x, y, n), 1e-12);
		near(c.tau, slow_tau(x, y, n), 1e-12);
	}
}

/* Counts all orders of y[k..n) by the definition. */
static void
slow_count(const double *x, double *y, size_t n, size_t k, const double observed[2],
	   double reached[3])
{
	if (k == n) {
		reached[0] += fabs(slow_rho(x, y, n)) >= observed[0] - 1e-9;
		reached[1] += fabs(slow_tau(x, y, n)) >= observed[1] - 1e-9;
		reached[2]++;
		return;
	}
	for (size_t i = k; i < n; i++) {
		const double a = y[k], b = y[i];

		y[k] = b, y[i] = a;
		slow_count(x, y, n, k + 1, observed, reached);
		y[k] = a, y[i] = b;
	}
}

/*
 * With ties: exact for six items; for eight items, whose orders are sampled, within the sampling
 * error.
 */
static void
probabilities(void **state)
{
	static const double x[] = { 1, 2, 2, 4, 5, 6, 6, 8 };
	double y[] = { 2, 1, 3, 3, 3, 7, 5, 6 };

	(void)state;
	for (size_t n = 6; n <= 8; n += 2) {
		/* 0.015: three standard deviations of 10000 samples */
		const double tolerance = n == 6 ? 1e-12 : 0.015;
		const double observed[2] = { fabs(slow_rho(x, y, n)), fabs(slow_tau(x, y, n)) };
		const struct permutations p = { .n = 9999, .seed = 5, .step = 2 };
		const struct rank_correlation c = rank_correlate(x, y, n, &p);
		double reached[3] = { 0 };

		slow_count(x, y, n, 0, observed, reached);
		near(c.rho_p, reached[0] / reached[2], tolerance);
		near(c.tau_p, reached[1] / reached[2], tolerance);
	}
}

/* Unrelated values have a small p-value as often as it says. */
static void
honest(void **state)
{
	const struct permutations p = { .n = 199, .seed = 9 };
	struct rng r;
	int below[2] = { 0 };

	(void)state;
	rng_init(&r, 4, rng_purpose("honest"), 0);
	for (int k = 0; k < 1000; k++) {
		double x[12], y[12];
		struct rank_correlation c;

		draw(&r, x, 12, 9);
		draw(&r, y, 12, 30);
		c = rank_correlate(x, y, 12, &p);
		below[0] += c.rho_p <= 0.05;
		below[1] += c.tau_p <= 0.05;
	}
	/* The expectation is 50, with a deviation of 7; ties take some of them away. */
	assert_in_range(below[0], 20, 75);
	assert_in_range(below[1], 20, 75);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_with_ties),
		cmocka_unit_test(by_hand),
		cmocka_unit_test(three_things),
		cmocka_unit_test(by_definition),
		cmocka_unit_test(probabilities),
		cmocka_unit_test(honest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
