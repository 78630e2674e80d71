/* members: the headers, the rows and the parameters of a bundle that are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "model-file/bundle.h"
#include "model-file/member.h"
#include "model-file/tar-check.h"

enum { BLOCK = 512, SIZE = 4 * BLOCK };

/* A tar of one file, words, of five bytes, as POSIX.1-2008 describes it. */
static void
make_tar(unsigned char *p)
{
	memset(p, 0, SIZE);
	memcpy(p, "words", 5);
	memcpy(p + 100, "000644 ", 7);
	memcpy(p + 108, "0000000", 7);
	memcpy(p + 116, "0000000", 7);
	memcpy(p + 124, "00000000005", 11);
	memcpy(p + 136, "00000000000", 11);
	p[156] = '0';
	memcpy(p + 257, "ustar\0" "00", 8);
	memcpy(p + BLOCK, "a b c", 5);
}

/* Sets the checksum of a tar header. */
static void
seal(unsigned char *head)
{
	unsigned sum = 0;

	memset(head + 148, ' ', 8);
	for (size_t i = 0; i < BLOCK; i++)
		sum += head[i];
	snprintf((char *)head + 148, 7, "%06o", sum);
}

/* Programs that read tar files would differ in what they read there. */
static void
odd_headers_are_refused(void **state)
{
	static const struct { size_t at, n; const char *bytes; } c[] = {
		{ 0, 2, "./" }, { 4, 1, "/" }, { 4, 1, " " }, { 10, 1, "a" }, { 99, 1, "\x7f" },
		{ 0, 1, "\xc3" }, { 0, 5, "\0\0\0\0\0" }, { 100, 1, "-" }, { 108, 1, "\x80" },
		{ 116, 3, "0o1" }, { 124, 1, "-" }, { 130, 1, "_" }, { 135, 1, "0" },
		{ 136, 1, "a" }, { 156, 1, "" }, { 156, 1, "1" }, { 257, 1, "U" },
		{ 257, 5, "\0\0\0\0\0" }, { 329, 1, "8" }, { 345, 1, "a" }, { 386, 1, "1" },
		{ 511, 1, "\1" },
	};
	unsigned char p[SIZE];
	bool truncated;
	struct err e;

	(void)state;
	make_tar(p);
	seal(p);
	assert_int_equal(tar_check(p, SIZE, &truncated, &e), 0);
	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		make_tar(p);
		memcpy(p + c[i].at, c[i].bytes, c[i].n);
		seal(p);
		if (!tar_check(p, SIZE, &truncated, &e) || truncated)
			fail_msg("case %zu is accepted", i);
		assert_string_equal(e.text, c[i].at == 156 ?
				    "byte 0: a member is not a regular file" :
				    "byte 0: no valid tar header");
	}
}

static void
sizes_are_digits(void **state)
{
	static const char *const bad[] = { "+1", "-0", " 1", "1 ", "1_0", "0x1", "1.", "" };
	struct member m;
	struct err e;
	char row[80];

	(void)state;
	assert_int_equal(member_parse(&m, "a\tb\tc\t12\t0123abcd", 17, &e), 0);
	assert_int_equal(m.size, 12);
	member_release(&m);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(row, sizeof(row), "a\tb\tc\t%s\t0123abcd", bad[i]);
		assert_int_equal(member_parse(&m, row, strlen(row), &e), -1);
	}
}

static void
add_params(struct params *p, int n)
{
	static const char *const name[] = { "first", "second" };
	const int d[] = { 3 };

	params_init(p);
	for (int i = 0; i < n; i++)
		params_add(p, name[i], INIT_ZERO, 0, 1, d);
}

static void
further_parameters_are_refused(void **state)
{
	static const struct bundle_kind kind = { "heed-test", "a test", 1, false, NULL };
	char path[] = "/tmp/heed-members-XXXXXX";
	const int fd = mkstemp(path);
	struct bundle_out *out;
	struct bundle_in *in;
	struct params p;
	struct err e;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	add_params(&p, 2);
	params_allocate(&p, false);
	out = bundle_out_open(path, &kind, &e);
	assert_non_null(out);
	for (size_t i = 0; i < p.n; i++)
		bundle_out_param(out, p.list[i], false, NULL, NULL);
	assert_int_equal(bundle_out_finish(out, &e), 0);
	params_release(&p);
	for (int n = 1; n < 3; n++) {
		add_params(&p, n);
		in = bundle_in_open(path, &kind, &e);
		assert_non_null(in);
		assert_int_equal(bundle_in_close(in, bundle_in_params(in, &p, false, &e), &e),
				 n == 1 ? -1 : 0);
		params_release(&p);
		if (n == 1)
			assert_non_null(strstr(e.text, "model file is damaged: found param/second "
					       "in the table, expected no further parameter"));
	}
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(odd_headers_are_refused),
		cmocka_unit_test(sizes_are_digits),
		cmocka_unit_test(further_parameters_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
