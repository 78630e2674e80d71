/* slopes: least squares, intervals and p-values as computed with SciPy, and by all permutations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "results/claims-slopes.h"

static void
near(const char *what, double found, double expected)
{
	if (!(fabs(found - expected) <= 6e-5))
		fail_msg("%s: found %.6f, expected %.4f", what, found, expected);
}

static void
check(const struct slope_point *point, size_t n, const struct slope *expected)
{
	struct slope s;

	assert_true(slope_of(point, n, &s));
	near("slope", s.slope, expected->slope);
	near("low", s.low, expected->low);
	near("high", s.high, expected->high);
	near("p", s.p, expected->p);
	near("p of permutations", s.p_permuted, expected->p_permuted);
	if (!(fabs(s.df - expected->df) < 0.05))
		fail_msg("%g degrees of freedom, expected %g", s.df, expected->df);
}

/* Of 24 orders, two are as steep as the observed one: this and its reverse. */
static void
gains_that_grow(void **state)
{
	static const struct slope_point point[] = {
		{ 0.05, 0.012, 0.006, 17 }, { 0.08, 0.010, 0.006, 17 }, { 0.15, 0.03, 0.007, 17 },
		{ 0.32, 0.05, 0.006, 17 },
	};

	(void)state;
	check(point, 4, &(struct slope){ 0.1507, 0.0924, 0.2089, 34, 0, 0.0833 });
}

static void
no_significant_slope(void **state)
{
	static const struct slope_point point[] = {
		{ 0.05, 0.012, 0.03, 9 }, { 0.08, 0.010, 0.03, 9 }, { 0.15, 0.03, 0.007, 17 },
		{ 0.32, 0.02, 0.03, 9 },
	};

	(void)state;
	check(point, 4, &(struct slope){ 0.0342, -0.2669, 0.3354, 18, 0.8139, 0.625 });
}

/* The unit of x does not matter, however the sums are rounded. */
static void
large_x(void **state)
{
	(void)state;
	for (int k = 1; k <= 200; k++) {
		const double unit = 1000003.0 * k;
		const struct slope_point point[] = {
			{ 0.05 * unit, 0.012, 0.006, 17 }, { 0.08 * unit, 0.010, 0.006, 17 },
			{ 0.15 * unit, 0.03, 0.007, 17 }, { 0.32 * unit, 0.05, 0.006, 17 },
		};
		struct slope s;

		assert_true(slope_of(point, 4, &s));
		near("p of permutations", s.p_permuted, 2.0 / 24);
	}
}

/* Equal gains, whose sums are not exactly 0, are equally steep in all orders. */
static void
equal_gains(void **state)
{
	(void)state;
	for (int k = 1; k <= 200; k++) {
		const double gain = 0.1 / k;
		const struct slope_point point[] = {
			{ 0.05, gain, 0.006, 17 }, { 0.08, gain, 0.006, 17 },
			{ 0.15, gain, 0.006, 17 }, { 0.32, gain, 0.006, 17 },
		};
		struct slope s;

		assert_true(slope_of(point, 4, &s));
		near("slope", s.slope, 0);
		near("p", s.p, 1);
		near("p of permutations", s.p_permuted, 1);
	}
}

/* With more points, permutations are not counted. */
static void
many_points(void **state)
{
	struct slope_point point[SLOPE_PERMUTED + 1];
	struct slope s;

	(void)state;
	for (int i = 0; i <= SLOPE_PERMUTED; i++)
		point[i] = (struct slope_point){ i, 2 * i, 1, 5 };
	assert_true(slope_of(point, SLOPE_PERMUTED + 1, &s));
	near("slope", s.slope, 2);
	assert_true(isnan(s.p_permuted));
	assert_true(slope_of(point, SLOPE_PERMUTED, &s));
	near("p of permutations", s.p_permuted, 2.0 / 362880);
}

static void
no_slope(void **state)
{
	static const struct slope_point point[] = {
		{ 1, 1, 1, 5 }, { 1, 2, 1, 5 }, { 1, 3, 1, 5 }, { 1, 1, 0, 5 }, { 2, 2, 0, 5 },
		{ 3, 3, 0, 5 },
	};
	struct slope s;

	(void)state;
	assert_false(slope_of(point + 3, 2, &s));	/* two points */
	assert_false(slope_of(point, 3, &s));		/* one x */
	assert_false(slope_of(point + 3, 3, &s));	/* no error */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gains_that_grow),
		cmocka_unit_test(no_significant_slope),
		cmocka_unit_test(large_x),
		cmocka_unit_test(equal_gains),
		cmocka_unit_test(many_points),
		cmocka_unit_test(no_slope),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
