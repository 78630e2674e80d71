/* ratio-error: compared with values by hand, and with the formula in two passes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "scores/ratio-error.h"

enum { SENTENCES = 2000 };

static void
near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance * fabs(b)))
		fail_msg("%.15g is not %.15g", a, b);
}

static double
error_of(const double *sum, const double *weight, int n)
{
	struct ratio_error r = { 0 };

	for (int i = 0; i < n; i++)
		ratio_error_add(&r, sum[i], weight[i]);
	return ratio_error_of(&r);
}

/* The ratio is 5/3, the residuals are -2/3 and 2/3: the error is sqrt(2 * 8/9) / 3 = 4/9. */
static void
by_hand(void **state)
{
	const double sum[] = { 1, 4 }, weight[] = { 1, 2 };
	const double x[] = { 2, 4, 4, 4, 5, 5, 7, 9 };	/* sum of squared deviations from 5: 32 */
	const double ones[] = { 1, 1, 1, 1, 1, 1, 1, 1 };

	(void)state;
	near(error_of(sum, weight, 2), 4. / 9, 1e-15);
	near(error_of(x, ones, 8), sqrt(32. / 7 / 8), 1e-15);	/* of a mean */
}

static void
without_error(void **state)
{
	const double sum[] = { 1, NAN, 4 }, weight[] = { 3, 1, 2 }, none[] = { 0, 0, 5 };
	const double more[] = { 7, 1, 0, 4 }, of_more[] = { 0, 1, 0, 2 };

	(void)state;
	assert_true(isnan(error_of(sum, weight, 0)));
	assert_true(isnan(error_of(sum, weight, 1)));
	assert_true(isnan(error_of(sum, weight, 3)));
	assert_true(isnan(error_of(sum, none, 3)));
	near(error_of(more, of_more, 4), 4. / 9, 1e-15);	/* without the weights 0 */
}

/* Equal ratios: the error is 0 except for rounding, however large the sums are. */
static void
equal(void **state)
{
	struct ratio_error r = { 0 };

	(void)state;
	for (int i = 1; i < 100; i++)
		ratio_error_add(&r, 1e6 / 3 * i, i);
	assert_true(ratio_error_of(&r) <= 1e-9);
}

/* Residuals of a 10,000,000th of the sums: differences of sums of squares would lose all digits. */
static void
two_passes(void **state)
{
	static double sum[SENTENCES], weight[SENTENCES];

	(void)state;
	for (int k = 0; k < 3; k++) {
		const double level = (double[]){ 0, 1, 1e6 }[k];
		long double s = 0, n = 0, squares = 0;
		struct rng r;

		rng_init(&r, 1, rng_purpose("test"), (uint32_t)k);
		for (int i = 0; i < SENTENCES; i++) {
			weight[i] = floor(1 + 60 * rng_uniform(&r));
			sum[i] = level * weight[i] + rng_normal(&r);
			s += (long double)sum[i];
			n += (long double)weight[i];
		}
		for (int i = 0; i < SENTENCES; i++) {
			const long double d = (long double)sum[i] - s / n * (long double)weight[i];

			squares += d * d;
		}
		near(error_of(sum, weight, SENTENCES),
		     (double)(sqrtl(squares * SENTENCES / (SENTENCES - 1)) / n), 1e-8);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_hand), cmocka_unit_test(without_error),
		cmocka_unit_test(equal), cmocka_unit_test(two_passes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
