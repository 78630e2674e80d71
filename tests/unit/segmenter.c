/* segmenter: lines to subwords and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "search/segmenter.h"

static void
check(const char *codes, const char *line, const char *want, const char *joined)
{
	struct model m = { .codes = NULL };
	struct segmenter s;
	struct buf out = { 0 };
	struct err e;

	if (codes) {
		m.codes = (char *)(uintptr_t)codes;
		m.codes_n = strlen(codes);
	}
	assert_int_equal(segmenter_init(&s, &m, "model", &e), 0);
	assert_int_equal(segmenter_cut(&s, line, strlen(line), false, &e), 0);
	for (size_t i = 0; i < s.subwords.n; i++)
		buf_printf(&out, "%s%.*s", i ? "|" : "", (int)s.subwords.v[i].n, s.subwords.v[i].s);
	assert_string_equal(out.n ? out.data : "", want);
	buf_clear(&out);
	assert_int_equal(segmenter_join(&s, s.subwords.v, s.subwords.n, &out, &e), 0);
	assert_string_equal(out.n ? out.data : "", joined);
	buf_release(&out);
	segmenter_release(&s);
}

static void
test_without_codes(void **state)
{
	(void)state;
	check(NULL, "", "", "");
	check(NULL, " a\tb  c\r", "a|b|c", "a b c");
	check(NULL, "lo@@ w er@@ s", "lo@@|w|er@@|s", "low ers");
}

static void
test_with_codes(void **state)
{
	static const char codes[] = "#version: 0.2\nl o\nlo w</w>\n";

	(void)state;
	check(codes, "low lot", "low|lo@@|t", "low lot");
	check(codes, "low\tlot", "low|lo@@|t", "low lot");
}

static void
test_malformed_codes(void **state)
{
	struct model m = { .codes = NULL };
	struct segmenter s;
	struct err e;
	char codes[] = "#version: 0.2\none\n";

	(void)state;
	m.codes = codes;
	m.codes_n = sizeof(codes) - 1;
	assert_int_equal(segmenter_init(&s, &m, "m.tar", &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_non_null(strstr(e.text, "m.tar: codes"));
	segmenter_release(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_codes), cmocka_unit_test(test_with_codes),
		cmocka_unit_test(test_malformed_codes)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
