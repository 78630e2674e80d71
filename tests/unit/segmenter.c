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

/* Numbers 3 + byte of ByT5: see tests/cli/nmt-import.t. */
static void
test_bytes(void **state)
{
	static const int32_t words[] = { 0, 0, 0, 1, 1, 1, 1, 1, 1, 1 };
	static const char *const broken[] = {
		"a", "<0xE2>", "<0x82>", "b", "<0xED>", "<0xA0>", "<0x80>", "<0xC0>", "<0x80>",
		"c", "<0xF0>", "<0x9F>", "<0x99>", "<0x82>", "<0xFF>", "<0x0A>", "<0x00>",
		"\xe2\x96\x81",
		"<extra_id_0>", "<0xe2>", "<0x41>", "<0x1>", "<0xC3>"
	};
	char file[] = "bytes\n";
	struct model m = { .spm = { file }, .spm_n = { sizeof(file) - 1 } };
	struct str v[sizeof(broken) / sizeof(*broken)];
	const size_t n = sizeof(v) / sizeof(*v);
	struct buf out = { 0 };
	struct segmenter s;
	struct err e;

	(void)state;
	assert_int_equal(segmenter_init(&s, &m, "model", &e), 0);
	assert_int_equal(segmenter_cut(&s, " \xc3\xa9  <\xe2\x96\x81 ", 10, false, &e), 0);
	for (size_t i = 0; i < s.subwords.n; i++)
		buf_printf(&out, "%s%.*s", i ? "|" : "", (int)s.subwords.v[i].n, s.subwords.v[i].s);
	assert_string_equal(out.data, "\xe2\x96\x81|<0xC3>|<0xA9>|\xe2\x96\x81|\xe2\x96\x81|<|"
			    "<0xE2>|<0x96>|<0x81>|\xe2\x96\x81");
	assert_memory_equal(s.subwords.word, words, sizeof(words));
	buf_clear(&out);
	assert_int_equal(segmenter_join(&s, s.subwords.v, s.subwords.n, &out, &e), 0);
	assert_string_equal(out.data, " \xc3\xa9  <\xe2\x96\x81 ");
	buf_clear(&out);
	for (size_t i = 0; i < n; i++)
		v[i] = (struct str){ broken[i], strlen(broken[i]) };
	assert_int_equal(segmenter_join(&s, v, n, &out, &e), 0);
	/* a byte has one spelling: <0xe2>, <0x41> and <0x1> are other entries */
	assert_string_equal(out.data, "abc\xf0\x9f\x99\x82   <extra_id_0><0xe2><0x41><0x1>");
	assert_int_equal(segmenter_cut(&s, "  ", 2, true, &e), 0);
	assert_int_equal(s.subwords.n, 2);
	assert_int_equal(s.subwords.word[0] | s.subwords.word[1], 0);
	buf_release(&out);
	segmenter_release(&s);
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
		cmocka_unit_test(test_bytes), cmocka_unit_test(test_malformed_codes)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
