/* additive: a design with missing runs, by statsmodels 0.14 and SciPy. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scores/additive.h"
#include "scores/student.h"

static void
near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance * fmax(1, fabs(want))))
		fail_msg("%.12g, expected %.12g", got, want);
}

/* ols('y ~ C(system) + C(seed)') */
static const struct additive_run missing[] = {
	{ 0, 0, 2.00 }, { 0, 1, 2.03 }, { 0, 2, 1.98 }, { 0, 3, 2.01 }, { 1, 0, 1.95 },
	{ 1, 1, 1.99 }, { 1, 2, 1.94 }, { 2, 1, 2.08 }, { 2, 2, 2.01 }, { 2, 4, 2.05 },
	{ 3, 0, 1.90 }, { 3, 2, 1.93 }
};
enum { N_MISSING = sizeof(missing) / sizeof(*missing) };

static void
effects(void **state)
{
	static const struct { size_t i, j; double mean, error, p; } want[] = {
		{ 1, 0, -0.04333333333333347, 0.01269920632440637, 0.026970625222265666 },
		{ 2, 0, 0.03419047619047644, 0.014716057837500024, 0.08083959123568797 },
		{ 3, 0, -0.07180952380952443, 0.014716057837500024, 0.008162544365591471 },
		{ 3, 2, -0.10600000000000087, 0.01703777316100073, 0.0033982046618239964 },
		{ 2, 1, 0.07752380952380991, 0.014716057837500029, 0.006220696117590957 }
	};
	struct additive a;

	(void)state;
	additive_fit(&a, missing, N_MISSING, 4, 5);
	near(a.df, 4, 0);
	near(a.deviation, 0.015553287816560332, 1e-10);
	near(a.largest, 1.0654614488509953, 1e-9);
	for (size_t k = 0; k < sizeof(want) / sizeof(*want); k++) {
		const struct contrast c = additive_contrast(&a, want[k].i, want[k].j);

		near(c.mean, want[k].mean, 1e-12);
		near(c.error, want[k].error, 1e-12);
		near(2 * student_above(fabs(c.mean) / c.error, c.df), want[k].p, 1e-10);
	}
	additive_release(&a);
}

/*
 * By numpy, from the matrix M = I - H of the design and the residuals r: with the rows of a system,
 * own = r'r / tr M, and df = (tr M)^2 / tr M^2.  Bartlett's test is that of SciPy with these.
 */
static void
variances(void **state)
{
	static const double own[] = {
		0.00015457556935825453, 2.8488612836475027e-05, 0.0002592857142855652,
		0.0008009523809523354
	}, df[] = { 1.9849906191369702, 1.9849906191369606, 1, 1 };
	struct additive a;
	struct contrast c;

	(void)state;
	additive_fit(&a, missing, N_MISSING, 4, 5);
	for (size_t s = 0; s < 4; s++) {
		near(a.own[s] / own[s], 1, 1e-9);
		near(a.own_df[s], df[s], 1e-9);
	}
	near(a.bartlett, 0.41123644181537866, 1e-9);
	c = additive_contrast_own(&a, 1, 0);
	near(c.error, 0.007811619170499138, 1e-10);
	near(c.df, 2.6926301776010737, 1e-8);
	c = additive_contrast_own(&a, 3, 2);
	near(c.error, 0.023790101809351094, 1e-10);
	near(c.df, 1.670716059021071, 1e-8);
	additive_release(&a);
}

/* Two systems: scipy.stats.ttest_rel, whatever the runs of a seed that one of them lacks. */
static void
pairs(void **state)
{
	static const struct additive_run run[] = {
		{ 0, 0, 2.0 }, { 0, 1, 2.02 }, { 0, 2, 1.99 }, { 1, 0, 1.95 }, { 1, 1, 1.96 },
		{ 1, 2, 1.935 }, { 1, 3, 7 }
	};
	struct additive a;
	struct contrast c;

	(void)state;
	additive_fit(&a, run, 7, 2, 4);
	c = additive_contrast(&a, 1, 0);
	near(c.mean, -0.055, 1e-12);
	near(c.error, 0.005 / sqrt(3), 1e-10);
	near(c.df, 2, 0);
	c = additive_contrast_own(&a, 1, 0);
	near(c.error, 0.005 / sqrt(3), 1e-10);
	near(c.df, 4, 1e-9);
	additive_release(&a);
}

/* Systems that no seed connects have no difference. */
static void
unconnected(void **state)
{
	static const struct additive_run run[] = {
		{ 0, 0, 1 }, { 0, 1, 2 }, { 1, 0, 3 }, { 1, 1, 5 }, { 2, 2, 1 }, { 2, 3, 2 },
		{ 3, 2, 4 }, { 3, 3, 4 }
	};
	struct additive a;

	(void)state;
	additive_fit(&a, run, 8, 4, 4);
	near(a.df, 2, 0);
	assert_true(isnan(additive_contrast(&a, 0, 2).mean));
	assert_true(isnan(additive_contrast_own(&a, 1, 3).mean));
	near(additive_contrast(&a, 1, 0).mean, 2.5, 1e-12);
	near(additive_contrast(&a, 2, 3).mean, -2.5, 1e-12);
	additive_release(&a);
	additive_fit(&a, run, 0, 2, 0);
	assert_true(isnan(additive_contrast(&a, 0, 1).mean));
	assert_true(isnan(a.deviation));
	additive_release(&a);
}

/* scipy.stats.ttest_ind(equal_var=False), chi2.sf */
static void
distributions(void **state)
{
	static const double x[] = { 2.0, 2.1, 1.9, 2.05 }, y[] = { 2.3, 2.2, 2.6 };
	const struct contrast c = welch_contrast(x, 4, y, 3);

	(void)state;
	near(c.mean / c.error, -2.776828961635404, 1e-9);
	near(c.df, 2.5100103777441705, 1e-9);
	assert_true(isnan(welch_contrast(x, 4, y, 1).mean));
	near(chi_squared_above(0.5, 1), 4.79500122e-01, 1e-8);
	near(chi_squared_above(3, 2), 2.23130160e-01, 1e-8);
	near(chi_squared_above(10, 10), 4.40493285e-01, 1e-8);
	near(chi_squared_above(40, 30), 1.04864281e-01, 1e-8);
	assert_true(fabs(chi_squared_above(100, 30) / 1.85680234e-09 - 1) < 1e-7);
	near(chi_squared_above(0, 3), 1, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(effects), cmocka_unit_test(variances), cmocka_unit_test(pairs),
		cmocka_unit_test(unconnected), cmocka_unit_test(distributions)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
