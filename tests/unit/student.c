/* student: Student's t, compared with closed forms and published tables; moments by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scores/moments.h"
#include "scores/student.h"

static const double pi = 3.14159265358979323846;

static void
near(double a, double b, double tolerance)
{
	if (!(fabs(a - b) <= tolerance))
		fail_msg("%.15g is not %.15g", a, b);
}

/* One, two and three degrees of freedom have elementary forms. */
static void
closed_forms(void **state)
{
	(void)state;
	for (double t = -30; t <= 30; t += 0.37) {
		const double s = t / sqrt(3);

		near(student_above(t, 1), 0.5 - atan(t) / pi, 1e-13);
		near(student_above(t, 2), 0.5 - t / (2 * sqrt(2 + t * t)), 1e-13);
		near(student_above(t, 3), 0.5 - (s / (1 + s * s) + atan(s)) / pi, 1e-13);
	}
}

/* The 5 % and 2.5 % points of published tables, with six digits. */
static void
tables(void **state)
{
	(void)state;
	near(student_above(2.919986, 2), 0.05, 1e-7);
	near(student_above(1.812461, 10), 0.05, 1e-7);
	near(student_above(2.042272, 30), 0.025, 1e-7);
	near(student_above(1.645, 1e7), 0.0499849, 1e-6);
}

static void
ends(void **state)
{
	(void)state;
	near(student_above(0, 7), 0.5, 0);
	near(student_above(INFINITY, 2), 0, 0);
	near(student_above(-INFINITY, 2), 1, 0);
	near(student_above(1e200, 2), 0, 1e-12);
}

static void
moments(void **state)
{
	const double x[] = { 2, 4, 4, 4, 5, 5, 7, 9 };	/* sum of squared deviations from 5: 32 */
	struct moments m = moments_of(x, 8);

	(void)state;
	near(m.mean, 5, 0);
	near(m.deviation, sqrt(32.0 / 7), 1e-15);
	m = moments_of(x, 2);
	near(m.mean, 3, 0);
	near(m.deviation, sqrt(2), 1e-15);
	m = moments_of(x, 1);
	near(m.mean, 2, 0);
	near(m.deviation, 0, 0);
}

/* Quantiles and power, by SciPy 1.10 (stats.t.isf; stats.nct with optimize.brentq). */
static void
points(void **state)
{
	(void)state;
	near(student_point(0.025, 2), 4.3026527299112765, 1e-9);
	near(student_point(0.025, 4), 2.7764451051977996, 1e-9);
	near(student_point(0.0075, 7), 3.2031520453702296, 1e-9);
	near(student_point(0.0005, 2), 31.59905457703977, 1e-8);
	near(student_point(0.975, 4), -2.7764451051977996, 1e-9);
	near(student_point(0.5, 4), 0, 1e-9);
}

static void
detectable(void **state)
{
	(void)state;
	near(student_detectable(2, 0.05, 0.8), 3.264043549814194 * sqrt(3), 1e-6);
	near(student_detectable(4, 0.05, 0.8), 1.681996965955558 * sqrt(5), 1e-6);
	near(student_detectable(7, 0.015, 0.8), 1.479829344127453 * sqrt(8), 1e-6);
	near(student_detectable(2, 0.05 / 15, 0.8), 12.683770384559326 * sqrt(3), 1e-5);
	/* For two pairs, by mpmath: |Z + delta| / |Z'| with independent normal Z and Z'. */
	near(student_detectable(1, 0.05, 0.8), 11.549888435882358 * sqrt(2), 1e-5);
	near(student_detectable(1, 0.05 / 3, 0.8), 34.61800786626722 * sqrt(2), 1e-4);
	near(student_detectable(9, 0.05, 0.8), 0.9960013714362282 * sqrt(10), 1e-6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(closed_forms), cmocka_unit_test(tables), cmocka_unit_test(ends),
		cmocka_unit_test(moments), cmocka_unit_test(points), cmocka_unit_test(detectable)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
