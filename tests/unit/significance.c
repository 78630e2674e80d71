/*
 * significance: small cases compared with enumeration and with counts by hand, and the coverage of
 * confidence intervals.
 *
 * The score is the mean of a value per sentence, whose distribution is known.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "scores/significance.h"

#define SEED 12345

static void
near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%.15g is not %.15g", a, b);
}

/* stats are { points, 1 } */
static double
mean(const int64_t *sums, const void *how)
{
	(void)how;
	return (double)sums[0] / (double)sums[1];
}

static struct scored
scored(const int32_t *stats, size_t n)
{
	return (struct scored) { .stats = stats, .n = n, .width = 2, .score = mean };
}

/* n sentences of 0 to 99 points, plus a shift. */
static int32_t *
random_stats(size_t n, uint32_t step, int32_t shift)
{
	int32_t *stats = xcalloc(n, 2 * sizeof(*stats));
	struct rng r;

	rng_init(&r, 1, rng_purpose("test of significance"), step);
	for (size_t i = 0; i < n; i++) {
		stats[2 * i] = (int32_t)rng_below(&r, 100) + shift;
		stats[2 * i + 1] = 1;
	}
	return stats;
}

static void
collins_numbers(void **state)
{
	struct sign_test t = { .better = 30, .worse = 15 };

	(void)state;
	sign_test_counts(&t);
	near(t.z, 2.2360679775, 1e-9);		/* above 1.96, below 2.57 */
	near(t.p, 0.0356978036, 1e-9);
	t = (struct sign_test) { .better = 15, .worse = 30 };
	sign_test_counts(&t);
	near(t.z, 2.2360679775, 1e-9);
	near(t.p, 0.0356978036, 1e-9);
	t = (struct sign_test) { .better = 433, .worse = 409 };
	sign_test_counts(&t);
	near(t.p, 0.4280091, 1e-7);
	t = (struct sign_test) { .better = 5 };
	sign_test_counts(&t);
	near(t.p, 0.0625, 1e-12);
	t = (struct sign_test) { .better = 3, .worse = 3 };
	sign_test_counts(&t);
	near(t.z, 0, 0);
	near(t.p, 1, 0);
	t = (struct sign_test) { .equal = 7 };
	sign_test_counts(&t);
	near(t.p, 1, 0);
	t = (struct sign_test) { .better = 600000, .worse = 400000 };
	sign_test_counts(&t);
	near(t.z, 200, 1e-9);
	assert_true(t.p >= 0 && t.p < 1e-300);
}

static void
sign_test_counts_replaced_sentences(void **state)
{
	const int32_t base[] = { 1, 1, 2, 1, 3, 1, 4, 1 }, system[] = { 2, 1, 1, 1, 3, 1, 9, 1 };
	const struct scored b = scored(base, 4), s = scored(system, 4);
	struct sign_test t;

	(void)state;
	sign_test(&b, &s, NULL, &t);
	assert_int_equal(t.better, 2);
	assert_int_equal(t.worse, 1);
	assert_int_equal(t.equal, 1);
	sign_test(&(struct scored){ base, 4, 2, mean, .lower_is_better = true }, &s, NULL, &t);
	assert_int_equal(t.better, 1);
	assert_int_equal(t.worse, 2);
	assert_int_equal(t.equal, 1);
}

static void
identical_systems_do_not_differ(void **state)
{
	int32_t *stats = random_stats(50, 0, 0);
	const struct scored both[] = { scored(stats, 50), scored(stats, 50) };
	double out[2][200];
	struct sign_test t;

	(void)state;
	bootstrap(both, 2, 200, SEED, NULL, &out[0][0]);
	assert_memory_equal(out[0], out[1], sizeof(out[0]));
	near(bootstrap_p_centered(out[0], out[1], 200, 0), 1, 0);
	near(bootstrap_p_koehn(out[0], out[1], 200, 0), 1, 0);
	near(approximate_randomization(&both[0], &both[1], 500, SEED, NULL), 1, 0);
	sign_test(&both[0], &both[1], NULL, &t);
	near(t.p, 1, 0);
	assert_int_equal(t.equal, 50);
	free(stats);
}

static void
a_far_better_system_differs(void **state)
{
	int32_t *base = random_stats(200, 0, 0), *system = random_stats(200, 0, 20);
	const struct scored both[] = { scored(base, 200), scored(system, 200) };
	double out[2][500];
	struct sign_test t;

	(void)state;
	bootstrap(both, 2, 500, SEED, NULL, &out[0][0]);
	near(bootstrap_p_centered(out[0], out[1], 500, 20), 1.0 / 501, 1e-12);
	near(bootstrap_p_koehn(out[0], out[1], 500, 20), 0, 0);
	near(approximate_randomization(&both[0], &both[1], 1000, SEED, NULL), 1.0 / 1001, 1e-12);
	sign_test(&both[0], &both[1], NULL, &t);
	assert_int_equal(t.better, 200);
	free(base);
	free(system);
}

/* All 2^10 ways to swap, compared with trials. */
static void
randomization_is_enumeration(void **state)
{
	int32_t *base = random_stats(10, 3, 0), *system = random_stats(10, 4, 15);
	const struct scored b = scored(base, 10), s = scored(system, 10);
	const double real = fabs(scored_corpus(&s) - scored_corpus(&b));
	int reached = 0;

	(void)state;
	for (int mask = 0; mask < 1024; mask++) {
		double d = 0;

		for (int i = 0; i < 10; i++)
			d += (mask >> i & 1 ? -1 : 1) * (double)(system[2 * i] - base[2 * i]) / 10;
		reached += fabs(d) >= real - 1e-9;
	}
	near(approximate_randomization(&b, &s, 20000, SEED, NULL), reached / 1024.0, 0.015);
	free(base);
	free(system);
}

/* All 3^3 resamples of three sentences. */
static void
bootstrap_is_enumeration(void **state)
{
	const int32_t base[] = { 10, 1, 20, 1, 60, 1 }, system[] = { 30, 1, 15, 1, 66, 1 };
	const struct scored both[] = { scored(base, 3), scored(system, 3) };
	static double out[2][20000];
	const double real = scored_corpus(&both[1]) - scored_corpus(&both[0]);
	double center = 0, d[27];
	int lost = 0, reached = 0;

	(void)state;
	for (int k = 0; k < 27; k++) {
		const int drawn[] = { k % 3, k / 3 % 3, k / 9 };

		d[k] = 0;
		for (int i = 0; i < 3; i++)
			d[k] += (system[2 * drawn[i]] - base[2 * drawn[i]]) / 3.0;
		lost += d[k] <= 1e-9;
		center += fabs(d[k]) / 27;
	}
	for (int k = 0; k < 27; k++)
		reached += fabs(d[k]) - center >= real;
	bootstrap(both, 2, 20000, SEED, NULL, &out[0][0]);
	near(bootstrap_p_koehn(out[0], out[1], 20000, real), lost / 27.0, 0.01);
	near(bootstrap_p_centered(out[0], out[1], 20000, real), reached / 27.0, 0.01);
}

/* A sentence raises or lowers the mean as its own points do. */
static void
check_counts(const struct sign_test *t, const int32_t *base, const int32_t *system, size_t n)
{
	size_t better = 0, worse = 0;

	for (size_t i = 0; i < n; i++) {
		better += system[2 * i] > base[2 * i];
		worse += system[2 * i] < base[2 * i];
	}
	assert_int_equal(t->better, better);
	assert_int_equal(t->worse, worse);
	assert_int_equal(t->equal, n - better - worse);
}

/* 5,000 sentences are more than one unit of work. */
static void
threads_change_nothing(void **state)
{
	int32_t *base = random_stats(5000, 5, 0), *system = random_stats(5000, 6, 1);
	const struct scored both[] = { scored(base, 5000), scored(system, 5000) };
	double one[2][40], three[2][40];
	struct pool *pool = pool_new(3);
	struct sign_test a, b;

	(void)state;
	bootstrap(both, 2, 40, SEED, NULL, &one[0][0]);
	bootstrap(both, 2, 40, SEED, pool, &three[0][0]);
	assert_memory_equal(one, three, sizeof(one));
	near(approximate_randomization(&both[0], &both[1], 50, SEED, NULL),
	     approximate_randomization(&both[0], &both[1], 50, SEED, pool), 0);
	sign_test(&both[0], &both[1], NULL, &a);
	check_counts(&a, base, system, 5000);
	sign_test(&both[0], &both[1], pool, &b);
	assert_memory_equal(&a, &b, sizeof(a));
	pool_free(pool);
	free(base);
	free(system);
}

static void
interval_is_that_of_the_ranks(void **state)
{
	double score[200];
	struct interval ci;

	(void)state;
	for (int i = 0; i < 200; i++)
		/* 0 to 199, shuffled; 5 are outside at either end */
		score[i] = (i * 77) % 200;
	bootstrap_interval(score, 200, &ci);
	near(ci.low, 5, 0);
	near(ci.high, 194, 0);
	near(ci.half, 94.5, 0);
	near(ci.mean, 99.5, 1e-12);
}

/*
 * Corpora drawn from a known distribution with mean 49.5.  The mean must be in 95% of 400
 * intervals, +- 3 sigma.
 */
static void
intervals_cover(void **state)
{
	int covered = 0;

	(void)state;
	for (uint32_t k = 0; k < 400; k++) {
		int32_t *stats = random_stats(100, 1000 + k, 0);
		const struct scored s = scored(stats, 100);
		struct interval ci;
		double out[200];

		bootstrap(&s, 1, 200, k, NULL, out);
		bootstrap_interval(out, 200, &ci);
		covered += ci.low <= 49.5 && 49.5 <= ci.high;
		free(stats);
	}
	assert_in_range(covered, 367, 393);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(collins_numbers),
		cmocka_unit_test(sign_test_counts_replaced_sentences),
		cmocka_unit_test(identical_systems_do_not_differ),
		cmocka_unit_test(a_far_better_system_differs),
		cmocka_unit_test(randomization_is_enumeration),
		cmocka_unit_test(bootstrap_is_enumeration),
		cmocka_unit_test(threads_change_nothing),
		cmocka_unit_test(interval_is_that_of_the_ranks),
		cmocka_unit_test(intervals_cover),
	};

	return cmocka_run_group_tests_name("significance", tests, NULL, NULL);
}
