/* colors: color scales, the width of texts, and numbers in SVG. */
#include "draw-case.h"

static void
escaped(const char *text, size_t n, const char *want)
{
	struct buf out = { 0 };

	svg_escape(&out, text, n);
	assert_string_equal(out.data, want);
	buf_release(&out);
}

static void
test_escape(void **state)
{
	(void)state;
	escaped("a<b>&\"c'", 8, "a&lt;b&gt;&amp;&quot;c&#39;");
	escaped("\0\x1b\b", 3, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	escaped("a\tb\nc\r", 6, "a b c ");
	escaped("x\xff\xc3", 3, "x\xef\xbf\xbd\xef\xbf\xbd");
	escaped("\xef\xbf\xbe", 3, "\xef\xbf\xbd");		/* U+FFFE: not in XML */
	escaped("\xe6\x97\xa5\xf0\x9f\x99\x82", 7, "\xe6\x97\xa5\xf0\x9f\x99\x82");
}

static void
test_measure(void **state)
{
	(void)state;
	near(width(""), 0);
	near(width("iW"), 0.28 + 0.99);				/* DejaVu Sans' own */
	near(width("e\xcc\x81"), width("e"));			/* combining acute */
	assert_true(width("\xe6\x97\xa5\xe6\x9c\xac") >= 2);	/* two ideographs */
	assert_int_equal(measure_fit("WWW", 3, 1.99), 2);
	assert_int_equal(measure_fit("WWW", 3, 0.5), 0);
	assert_int_equal(measure_fit("e\xcc\x81" "e\xcc\x81", 6, 0.7), 3);
	assert_int_equal(measure_fit("\xe6\x97\xa5\xe6\x9c\xac", 6, 1.5), 3);
}

static void
test_numbers(void **state)
{
	struct buf out = { 0 };

	(void)state;
	svg_number(&out, 10);
	buf_add_char(&out, ' ');
	svg_number(&out, 2.5);
	buf_add_char(&out, ' ');
	svg_number(&out, 1.004);
	assert_string_equal(out.data, "10 2.5 1");
	buf_release(&out);
}

static void
test_darker(void **state)
{
	(void)state;
	for (int c = COLORS_BLUE; c <= COLORS_GRAY; c++) {
		double before = color_luminance(color_at(c, 0));

		near(before, 1);
		for (int i = 1; i <= 100; i++) {
			const double now = color_luminance(color_at(c, i / 100.0));

			assert_true(now < before);
			before = now;
		}
		assert_true(before < 0.02);
	}
}

/* Lightness by the formula of CIE L*; it falls by about the same on every tenth of a scale. */
static double
lightness(enum colors c, double t)
{
	return 116 * cbrt(color_luminance(color_at(c, t))) - 16;
}

static void
test_even(void **state)
{
	(void)state;
	for (int c = COLORS_BLUE; c <= COLORS_GRAY; c++) {
		const double whole = lightness(c, 0) - lightness(c, 1);

		for (int i = 0; i < 10; i++) {
			const double step = lightness(c, i / 10.0) - lightness(c, (i + 1) / 10.0);

			assert_true(step > 0.06 * whole && step < 0.14 * whole);
		}
	}
}

static void
test_diverging(void **state)
{
	double before = 0;

	(void)state;
	for (int i = 0; i < 50; i++) {
		const struct color a = color_at(COLORS_DIVERGING, i / 100.0);
		const struct color b = color_at(COLORS_DIVERGING, 1 - i / 100.0);

		assert_true(fabs(color_luminance(a) - color_luminance(b)) < 0.05);
		assert_true(color_luminance(a) > before);
		assert_true(a.b > a.r && b.r > b.b);
		before = color_luminance(a);
	}
	near(color_luminance(color_at(COLORS_DIVERGING, 0.5)), 1);
}

static void
test_ends(void **state)
{
	char hex[8];

	(void)state;
	color_hex(color_at(COLORS_GRAY, -3), hex);
	assert_string_equal(hex, "#ffffff");
	for (int i = 0; i <= 10; i++) {
		const struct color c = color_at(COLORS_GRAY, i / 10.0);

		assert_true(c.r == c.g && c.g == c.b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_measure),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_darker),
		cmocka_unit_test(test_even),
		cmocka_unit_test(test_diverging),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
