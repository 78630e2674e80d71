/* input, archive: lines and members are read as they were written, and truncation is an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "stream/archive.h"
#include "stream/input.h"

/* The lines of the text joined by "|", or the error. */
static char *
lines_of(const char *text, size_t n, unsigned flags, struct buf *b)
{
	struct err e = { .hint = "" };
	struct input *in = input_memory("t", text, n, flags, &e);
	const char *line;
	size_t len;
	int r;

	buf_clear(b);
	buf_add(b, "", 0);
	assert_non_null(in);
	while ((r = input_line(in, &line, &len, &e)) > 0) {
		assert_int_equal(line[len], 0);
		buf_add(b, line, len);
		buf_add_char(b, '|');
	}
	if (r < 0)
		buf_add_str(b, e.text);
	input_close(in);
	return b->data;
}

static void
a_byte_order_mark_is_skipped(void **state)
{
	static const struct { const char *text, *lines; } is[] = {
		{ "\xef\xbb\xbf" "a\nb\n", "a|b|" }, { "\xef\xbb\xbf", "" },
		{ "\xef\xbb\xbf\n", "|" }, { "a\n\xef\xbb\xbf" "b\n", "a|\xef\xbb\xbf" "b|" },
		{ "\xef\xbb\xbf\xef\xbb\xbf" "a", "\xef\xbb\xbf" "a|" },
		{ "\xef\xbb", "t: line 1: byte 1 (0xef) is not UTF-8" },
		{ "\xef\xbb\xbe" "a", "\xef\xbb\xbe" "a|" },
	};
	struct buf b = { 0 };
	struct err e;
	struct input *in;

	(void)state;
	for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++)
		assert_string_equal(lines_of(is[i].text, strlen(is[i].text), INPUT_UTF8, &b),
				    is[i].lines);
	in = input_memory("t", "\xef\xbb\xbf \n(a", 7, INPUT_UTF8, &e);
	assert_int_equal(input_first(in, &e), '(');
	input_close(in);
	buf_release(&b);
}

static void
the_length_of_units_is_limited(void **state)
{
	const size_t mib = 1 << 20;
	char *text = xmalloc(3 * mib);
	struct input *in;
	struct err e;
	const char *line;
	size_t n;

	(void)state;
	memset(text, 'a', 3 * mib);
	text[mib / 2] = text[mib + 1] = text[2 * mib] = '\n';
	input_max_line = 1;
	in = input_memory("t", text, 3 * mib, INPUT_UTF8, &e);
	input_unit(in, "unit");
	assert_int_equal(input_line(in, &line, &n, &e), 1);
	assert_int_equal(input_line(in, &line, &n, &e), -1);	/* line ends count */
	assert_string_equal(e.text, "t: line 1: a unit of more than 1 MiB begins here");
	input_unit(in, "unit");
	assert_int_equal(input_line(in, &line, &n, &e), 1);
	assert_int_equal(n, mib / 2);
	input_unit(in, NULL);
	assert_int_equal(input_line(in, &line, &n, &e), 1);
	assert_int_equal(n, mib - 2);
	assert_int_equal(input_line(in, &line, &n, &e), 1);
	input_close(in);
	input_max_line = 16;
	free(text);
}

static void
lines(void **unused)
{
	static const struct { const char *text, *want; } c[] = {
		{ "", "" }, { "a", "a|" }, { "a\n", "a|" }, { "a\n\n", "a||" },
		{ "a\r\nb\r\n", "a|b|" },
		{ "a\r", "a\r|" }, { "a\rb\n", "a\rb|" }, { "\r\n", "|" }, { "\n", "|" },
		{ "\r\r\n", "\r|" },
	};
	struct buf b = { 0 };

	(void)unused;
	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++)
		assert_string_equal(lines_of(c[i].text, strlen(c[i].text), 0, &b), c[i].want);
	lines_of("a\0b\nc", 5, 0, &b);
	assert_int_equal(b.n, 6);
	assert_memory_equal(b.data, "a\0b|c|", 6);
	assert_string_equal(lines_of("ok\nb\xffx\n", 7, INPUT_UTF8, &b),
			    "ok|t: line 2: byte 2 (0xff) is not UTF-8");
	assert_string_equal(lines_of("ok\nb\xffx\n", 7, 0, &b), "ok|b\xffx|");
	buf_release(&b);
}

/* The well-formed and ill-formed sequences of the Unicode standard, tables 3-7 and 3-8. */
static void
utf8(void **unused)
{
	static const struct { const char *s; size_t wrong; } c[] = {
		{ "", 0 }, { "abcdefghijkl", 12 }, { "abcdefgh\xc3\xa4", 10 },
		{ "\xf0\x9f\x98\x80", 4 },
		{ "\xf4\x8f\xbf\xbf", 4 }, { "\xed\x9f\xbf\xee\x80\x80", 6 },
		{ "\xc0\xaf", 0 }, { "\xe0\x9f\xbf", 0 }, { "\xf0\x8f\xbf\xbf", 0 },
		{ "\xf4\x90\x80\x80", 0 },
		{ "\xed\xa0\x80", 0 }, { "a\x80", 1 }, { "abc\xe2\x82", 3 },
		{ "\xf5\x80\x80\x80", 0 }, { "12345678\xff", 8 },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++)
		assert_int_equal(utf8_check(c[i].s, strlen(c[i].s)), c[i].wrong);
}

static void
ahead_and_read(void **unused)
{
	struct err e = { .hint = "" };
	struct input *in = input_memory("t", "0123456789", 10, 0, &e);
	const char *p;
	char block[16];

	(void)unused;
	assert_int_equal(input_ahead(in, 4, &p, &e), 10);
	assert_memory_equal(p, "0123", 4);
	input_skip(in, 3);
	assert_int_equal(input_ahead(in, 100, &p, &e), 7);
	assert_int_equal(input_read(in, block, 5, &e), 5);
	assert_memory_equal(block, "34567", 5);
	assert_int_equal(input_read(in, block, 16, &e), 2);
	assert_int_equal(input_read(in, block, 16, &e), 0);
	input_close(in);
}

static char folder[] = "/tmp/heed-input-XXXXXX";

static void
next_is(struct archive_in *a, const char *want_name, const char *want)
{
	struct err e = { .hint = "" };
	const char *name;
	int64_t size;
	char *all;
	size_t n;

	assert_int_equal(archive_in_next(a, &name, &size, &e), 1);
	assert_string_equal(name, want_name);
	assert_true(size == (int64_t)strlen(want));
	all = archive_in_all(a, 1000, &n, &e);
	assert_non_null(all);
	assert_string_equal(all, want);
	free(all);
}

static void
write_archive(const char *path)
{
	struct err e = { .hint = "" };
	struct archive_out *a = archive_out_open(path, &e);

	assert_non_null(a);
	assert_int_equal(archive_out_member(a, "heed-model", "one", 3, &e), 0);
	assert_int_equal(archive_out_begin(a, "param/\xc3\xa4", 6, &e), 0);
	assert_int_equal(archive_out_data(a, "two", 3, &e), 0);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(archive_out_data(a, "two", 3, &e), 0);
	assert_int_equal(archive_out_member(a, "end", "", 0, &e), 0);
	assert_int_equal(archive_out_finish(a, &e), 0);
}

static void
members_are_read_as_written(void **unused)
{
	char *path = xasprintf("%s/a.tar", folder), *member = xasprintf("%s:heed-model", path);
	char *again = xasprintf("%s/b.tar", folder),
		*compare = xasprintf("cmp -s %s %s", path, again);
	struct err e = { .hint = "" };
	struct archive_in *a;
	struct input *in;
	const char *name;
	int64_t size;
	size_t n;

	(void)unused;
	write_archive(path);
	a = archive_in_open(path, &e);
	assert_non_null(a);
	next_is(a, "heed-model", "one");
	next_is(a, "param/\xc3\xa4", "twotwo");
	next_is(a, "end", "");
	assert_int_equal(archive_in_next(a, &name, &size, &e), 0);
	archive_in_close(a);
	in = input_open(member, 0, &e);
	assert_non_null(in);
	assert_int_equal(input_line(in, &name, &n, &e), 1);
	assert_string_equal(name, "one");
	input_close(in);
	sleep(1);
	write_archive(again);
	assert_int_equal(system(compare), 0);	/* later, and the same bytes */
	unlink(path);
	unlink(again);
	free(path);
	free(member);
	free(again);
	free(compare);
}

static void
abandoned_archives_leave_no_file(void **unused)
{
	char *path = xasprintf("%s/c.tar", folder);
	struct err e = { .hint = "" };
	struct archive_out *a = archive_out_open(path, &e);

	(void)unused;
	assert_int_equal(archive_out_begin(a, "x", 10, &e), 0);
	assert_int_equal(archive_out_data(a, "12345", 5, &e), 0);
	archive_out_abandon(a);
	assert_int_equal(rmdir(folder), 0);	/* it is empty */
	free(path);
}

static int
make_folder(void **unused)
{
	(void)unused;
	return !mkdtemp(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_byte_order_mark_is_skipped),
		cmocka_unit_test(the_length_of_units_is_limited),
		cmocka_unit_test(lines),
		cmocka_unit_test(utf8),
		cmocka_unit_test(ahead_and_read),
		cmocka_unit_test(members_are_read_as_written),
		cmocka_unit_test(abandoned_archives_leave_no_file),
	};

	return cmocka_run_group_tests(tests, make_folder, NULL);
}
