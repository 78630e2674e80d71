/* holm: adjusted p-values and their factors, computed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scores/holm.h"

static void
assert_equal(const double *found, const double *expected, int n)
{
	for (int i = 0; i < n; i++)
		if (isnan(found[i]) != isnan(expected[i]) || fabs(found[i] - expected[i]) > 1e-12)
			fail_msg("%d: %.15g is not %.15g", i, found[i], expected[i]);
}

/* The smallest of five times 5, and so on, never falling. */
static void
by_hand(void **state)
{
	static const double p[] = { 0.01, 0.04, NAN, 0.03, 0.005, 0.5 };
	static const double expected[] = { 0.04, 0.09, NAN, 0.09, 0.025, 0.5 };
	static const double factors[] = { 4, 2, NAN, 3, 5, 1 };
	double out[6], factor[6];

	(void)state;
	holm_adjust(p, 6, out, factor);
	assert_equal(out, expected, 6);
	assert_equal(factor, factors, 6);
}

/* Equal values are ranked in their order; nothing exceeds 1; the result may replace the values. */
static void
ties_in_place(void **state)
{
	static const double expected[] = { 1, 0.3, 1, 0.3 }, factors[] = { 2, 4, 1, 3 };
	double p[] = { 0.6, 0.075, 0.6, 0.075 }, factor[4];

	(void)state;
	holm_adjust(p, 4, p, factor);
	assert_equal(p, expected, 4);
	assert_equal(factor, factors, 4);
	holm_adjust(p, 0, p, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand),
		cmocka_unit_test(ties_in_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
