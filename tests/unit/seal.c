/* seal: what fuzz targets damage gets the right sums, or they would test nothing but sums. */
#include "../fuzz/seal.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include "model-file/bundle.h"

static const struct bundle_kind kind = { .map = "heed-test", .what = "a test", .format = 1 };

/* Two members and a map that says of them what is wrong. */
static void
add_members(struct buf *out, const char *second)
{
	static const char *const rows[] = {
		"first\ttext\t-\t1\t00000000", "second\ttext\t-\t7\tffffffff"
	};
	const struct str row[] = { { rows[0], strlen(rows[0]) }, { rows[1], strlen(rows[1]) } };
	struct record *map = record_new();

	record_set_int(map, "format", 1);
	record_set_strs(map, "members", row, 2);
	buf_add_str(out, "==heed-test\n");
	record_encode(map, out);
	buf_add_str(out, "\n==first\nabc\n==second\n");
	buf_add_str(out, second);
	record_free(map);
}

static void
members_are_a_bundle(void **state)
{
	struct buf members = { 0 }, file = { 0 };
	struct bundle_in *b;
	struct err e;
	char *text;
	size_t n;

	(void)state;
	add_members(&members, "=\nwhatever\n");
	seal_bundle(members.data, members.n, &file);
	b = bundle_in_memory("test", file.data, file.n, &kind, &e);
	if (!b)
		fail_msg("%s", e.text);
	text = bundle_in_bytes(b, "first", &n, &e);
	assert_non_null(text);
	assert_string_equal(text, "abc");
	free(text);
	text = bundle_in_bytes(b, "second", &n, &e);
	assert_non_null(text);
	assert_string_equal(text, "=\nwhatever\n");
	free(text);
	assert_int_equal(bundle_in_close(b, 0, &e), 0);
	buf_release(&members);
	buf_release(&file);
}

/* Records of a sealed stream; -1 if it is refused. */
static int
read_all(const struct buf *objects)
{
	struct buf file = { 0 };
	struct record *rec;
	struct reader *r;
	struct err e;
	int more;

	seal_stream(objects->n ? objects->data : "", objects->n, &file);
	r = reader_memory("test", file.data, file.n, NULL, NULL, &e);
	if (!r)
		fail_msg("%s", e.text);
	while ((more = reader_next(r, &rec, &e)) > 0)
		;
	more = more ? -1 : (int)reader_count(r);
	reader_close(r);
	buf_release(&file);
	return more;
}

static void
objects_are_a_stream(void **state)
{
	struct header *h = header_new("pairs");
	struct buf objects = { 0 };

	(void)state;
	assert_int_equal(read_all(&objects), 0);
	mp_put_map(&objects, 0);
	assert_int_equal(read_all(&objects), 1);
	header_encode(h, &objects);
	mp_put_map(&objects, 1);
	mp_put_text(&objects, "x");
	mp_put_int(&objects, 3);
	mp_put_array(&objects, 3);
	mp_put_text(&objects, "heed-end");
	mp_put_int(&objects, 77);
	mp_put_int(&objects, 12345);
	assert_int_equal(read_all(&objects), 2);
	header_free(h);
	buf_release(&objects);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_a_bundle),
		cmocka_unit_test(objects_are_a_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
