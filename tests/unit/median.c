/* median: odd and even numbers of values, and none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "scores/median.h"

static void
odd(void **state)
{
	double x[] = { 5, -1, 3 };

	(void)state;
	assert_true(median(x, 3) == 3 && median_low(x, 3) == 3 && median_high(x, 3) == 3);
	assert_true(x[0] == -1 && x[1] == 3 && x[2] == 5);
}

static void
even(void **state)
{
	double x[] = { 8, 2, 1, 4 };

	(void)state;
	assert_true(median_low(x, 4) == 2 && median_high(x, 4) == 4 && median(x, 4) == 3);
}

static void
few(void **state)
{
	double x[] = { 7 };

	(void)state;
	assert_true(median(x, 1) == 7 && median_low(x, 1) == 7 && median_high(x, 1) == 7);
	assert_true(isnan(median(x, 0)) && isnan(median_low(x, 0)) && isnan(median_high(x, 0)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(odd),
		cmocka_unit_test(even),
		cmocka_unit_test(few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
