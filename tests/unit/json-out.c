/* json-out: each special character at each place of a string, and integers of all sizes. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "stream/json-out.h"
#include "stream/msgpack-out.h"

enum { LONGEST = 20 };

static void
becomes(const struct buf *value, const char *want)
{
	struct buf out = { 0 };

	json_add_value(&out, NULL, value->data, value->n);
	assert_string_equal(out.data, want);
	buf_release(&out);
}

/* A string of n letters, with `text` instead of letter `at`, is the same with `json` there. */
static void
string_becomes(size_t n, size_t at, const char *text, const char *json)
{
	static const char letters[] = "abcdefghijklmnopqrst";
	char plain[LONGEST + 16], want[LONGEST + 16];
	const int rest = (int)(n - at - 1);
	struct buf value = { 0 };

	snprintf(plain, sizeof(plain), "%.*s%s%.*s", (int)at, letters, text, rest,
		 letters + at + 1);
	snprintf(want, sizeof(want), "\"%.*s%s%.*s\"", (int)at, letters, json, rest,
		 letters + at + 1);
	mp_put_str(&value, plain, strlen(plain));
	becomes(&value, want);
	buf_release(&value);
}

static void
characters_are_escaped_at_each_place(void **unused)
{
	static const char *const text[][2] = {
		{ "x", "x" }, { "\"", "\\\"" }, { "\\", "\\\\" }, { "\n", "\\n" }, { "\b", "\\b" },
		{ "\t\t", "\\t\\t" }, { "\x01", "\\u0001" }, { "\x1f", "\\u001f" }, { " ", " " },
		{ "!", "!" }, { "#", "#" }, { "[", "[" }, { "]", "]" }, { "/", "/" },
		{ "\x7f", "\x7f" }, { "\xc3\xa4", "\xc3\xa4" }, { "\xe2\x82\xac", "\xe2\x82\xac" },
		{ "\xc2\xa2\"", "\xc2\xa2\\\"" }, { "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
	};
	struct buf empty = { 0 };

	(void)unused;
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		for (size_t n = 1; n <= LONGEST; n++)
			for (size_t at = 0; at < n; at++)
				string_becomes(n, at, text[i][0], text[i][1]);
	mp_put_str(&empty, "", 0);
	becomes(&empty, "\"\"");
	buf_release(&empty);
}

/* Bytes that are not UTF-8 are found at each place. */
static void
other_strings_are_kept_as_bytes(void **unused)
{
	(void)unused;
	for (size_t n = 1; n <= LONGEST; n++)
		for (size_t at = 0; at < n; at++) {
			char text[LONGEST];
			struct buf value = { 0 }, out = { 0 };

			memset(text, 'a', n);
			text[at] = (char)0xff;
			mp_put_str(&value, text, n);
			json_add_value(&out, NULL, value.data, value.n);
			assert_memory_equal(out.data, "{\"$msgpack\":", 12);
			buf_release(&value);
			buf_release(&out);
		}
}

static void
integer_becomes(int64_t v)
{
	struct buf value = { 0 };
	char want[32];

	mp_put_int(&value, v);
	snprintf(want, sizeof(want), "%" PRId64, v);
	becomes(&value, want);
	buf_clear(&value);
	mp_put_uint(&value, (uint64_t)v);
	snprintf(want, sizeof(want), "%" PRIu64, (uint64_t)v);
	becomes(&value, want);
	buf_release(&value);
}

static void
integers_of_all_sizes(void **unused)
{
	(void)unused;
	for (int64_t v = -200; v <= 200; v++)
		integer_becomes(v);
	for (int64_t power = 10; power < INT64_MAX / 10; power *= 10)
		for (int64_t v = power - 1; v <= power + 1; v++) {
			integer_becomes(v);
			integer_becomes(-v);
		}
	integer_becomes(INT64_MAX);
	integer_becomes(INT64_MIN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_are_escaped_at_each_place),
		cmocka_unit_test(other_strings_are_kept_as_bytes),
		cmocka_unit_test(integers_of_all_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
