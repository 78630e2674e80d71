/* text-field: lines of a file as fields of each type. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"
#include "stream/text-field.h"

/* Opens a field of sentences whose file has this text. */
static int
open_field(struct text_field *t, const char *field, const char *text, struct err *e)
{
	char path[] = "/tmp/heed-field-XXXXXX";
	const int fd = mkstemp(path);
	char *argument = xasprintf("%s=%s", field, path);
	int r;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	memset(t, 0, sizeof(*t));
	r = text_field_open(t, "sentence", argument, e);
	unlink(path);
	free(argument);
	return r;
}

/* Reads the next line into a record. */
static void
next(struct text_field *t, struct record *rec)
{
	struct err e;

	assert_int_equal(text_field_next(t, &e), 1);
	record_clear(rec);
	assert_int_equal(text_field_set(t, rec, &e), 0);
}

static void
test_texts_and_lists(void **state)
{
	struct record *rec = record_new();
	const struct str *v;
	const int32_t *number;
	struct text_field t;
	struct str s;
	struct err e;
	size_t n;

	(void)state;
	assert_int_equal(open_field(&t, "x.mine", "a  b \n", &e), 0);
	next(&t, rec);
	assert_int_equal(record_str(rec, "x.mine", &s), 0);
	assert_int_equal(s.n, 5);
	assert_int_equal(text_field_next(&t, &e), 0);
	text_field_close(&t);
	assert_int_equal(open_field(&t, "src.pieces", " a@@  b \n\n", &e), 0);
	next(&t, rec);
	assert_int_equal(record_strs(rec, "src.pieces", &v, &n), 0);
	assert_int_equal(n, 2);
	assert_memory_equal(v[0].s, "a@@", v[0].n);
	next(&t, rec);
	assert_int_equal(record_strs(rec, "src.pieces", &v, &n), 0);
	assert_int_equal(n, 0);
	text_field_close(&t);
	assert_int_equal(open_field(&t, "src.heads", "0 1 -3\n", &e), 0);
	next(&t, rec);
	assert_int_equal(record_ints(rec, "src.heads", &number, &n), 0);
	assert_int_equal(n, 3);
	assert_int_equal(number[2], -3);
	text_field_close(&t);
	record_free(rec);
}

static void
test_refused(void **state)
{
	static const char *const wrong[] = { "field", "=file", "field=" };
	struct record *rec = record_new();
	struct text_field t;
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		memset(&t, 0, sizeof(t));
		assert_int_equal(text_field_open(&t, "sentence", wrong[i], &e), -1);
		assert_int_equal(e.status, EXIT_USAGE);
		text_field_close(&t);
	}
	assert_int_equal(open_field(&t, "src.dep", "1\n", &e), -1);
	assert_int_equal(e.status, EXIT_USAGE);
	text_field_close(&t);
	assert_int_equal(open_field(&t, "src.heads", "1\n2 x\n", &e), 0);
	next(&t, rec);
	assert_int_equal(text_field_next(&t, &e), 1);
	assert_int_equal(text_field_set(&t, rec, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_non_null(strstr(e.text, "line 2"));
	text_field_close(&t);
	record_free(rec);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts_and_lists), cmocka_unit_test(test_refused)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
