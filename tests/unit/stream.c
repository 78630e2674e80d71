/* stream: records are read back as they were written, and everything else is refused. */
#include "stream-file.h"
#include "stream/type.h"

/* --- a stream encoded by hand, independent of the writer --- */

/* --- tests --- */

static void
records_are_read_as_written(void **unused)
{
	struct record *rec = record_new(), *copy = record_new();
	struct err e = { .hint = "" };
	struct writer *w = open_writer(all_types, &e);
	struct reader *r;

	(void)unused;
	for (int i = 0; i < 1000; i++) {
		fill(rec, i);
		assert_int_equal(writer_put(w, rec, &e), 0);
	}
	assert_int_equal(writer_finish(w, &e), 0);
	record_free(rec);
	r = reader_open(path, "sentence", all_types, 0, &e);
	assert_non_null(r);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(reader_next(r, &rec, &e), 1);
		assert_int_equal(record_n_fields(rec), 9);
		check_record(rec, i);
		record_copy(copy, rec);
	}
	assert_int_equal(reader_next(r, &rec, &e), 0);
	assert_int_equal(reader_next(r, &rec, &e), 0);
	assert_int_equal(reader_count(r), 1000);
	reader_close(r);
	check_record(copy, 999);	/* outlives its reader */
	record_free(copy);
}

/* A value in an encoding that heed's programs do not use: a str of 3 bytes with a 4-byte length. */
static const char odd[] = "\xdb\x00\x00\x00\x03" "odd";

/* Copies the stream of one record; change: with another src and a new field. */
static void
copy_stream(const struct buf *in, bool change)
{
	struct err e = { .hint = "" };
	struct record *rec;
	struct reader *r = open_bytes(in, &e);
	struct writer *w;

	assert_non_null(r);
	w = writer_open(path, NULL, reader_header(r), NULL, STREAM_NO_PG, &e);
	assert_non_null(w);
	assert_int_equal(reader_next(r, &rec, &e), 1);
	if (change) {
		record_set_str(rec, "src", "new", 3);
		record_set_int(rec, "added", 1);
	}
	assert_int_equal(writer_put(w, rec, &e), 0);
	assert_int_equal(reader_next(r, &rec, &e), 0);
	assert_int_equal(writer_finish(w, &e), 0);
	reader_close(r);
}

static void
unknown_fields_pass_through(void **unused)
{
	const char *const fields[] = { "x.first", "any", "src", "str", "x.last", "bits[n]" };
	static const char last[] = "\x82\xa1" "d\xc4\x01\x07\xa1s\x91\x03";
	struct buf in = { 0 }, out = { 0 }, want = { 0 };
	size_t at;

	(void)unused;
	begin_stream(&in, fields, 3);
	at = in.n;
	buf_add(&in, "\xde\x00\x03", 3);		/* a map with a longer head than needed */
	buf_add(&in, "\xd9\x07x.first", 9);
	buf_add(&in, odd, 8);
	buf_add_str(&in, "\xa3" "src\xa1" "a");
	buf_add_str(&in, "\xa6x.last");
	buf_add(&in, last, sizeof(last) - 1);
	end_stream(&in, 0, 1);

	for (int change = 0; change < 2; change++) {
		copy_stream(&in, change);
		read_file(&out);
		buf_clear(&want);
		buf_add(&want, in.data, at);
		if (change) {
			buf_add_str(&want, "\x84\xd9\x07x.first");
			buf_add(&want, odd, 8);
			buf_add_str(&want, "\xa3" "src\xa3" "new\xa6x.last");
			buf_add(&want, last, sizeof(last) - 1);
			buf_add_str(&want, "\xa5" "added\x01");
			end_stream(&want, 0, 1);
		} else {
			buf_add(&want, in.data + at, in.n - at);
		}
		assert_int_equal(out.n, want.n);
		assert_memory_equal(out.data, want.data, want.n);
	}
	buf_release(&in);
	buf_release(&out);
	buf_release(&want);
}

/* Reads a record of two tensors with these shapes; 0 if the reader accepts it. */
static int
try_shapes(const char *type_a, const char *type_b, int rows, int columns, int bytes, struct err *e)
{
	const char *const fields[] = { "id", "int", "a", type_a, "b", type_b };
	struct buf b = { 0 };
	int n;

	begin_stream(&b, fields, 3);
	buf_add_str(&b, "\x83\xa2id\x07\xa1"
			"a\x82\xa1s\x92\x02\x02\xa1"
			"d\xc4\x04"
			"abcd\xa1"
			"b\x82\xa1s");
	mp_put_array(&b, 2);
	mp_put_int(&b, rows);
	mp_put_int(&b, columns);
	mp_put_text(&b, "d");
	mp_put_bin(&b, "aaaaaaaaaaaaaaaa", (size_t)bytes);
	end_stream(&b, 0, 1);
	memset(e, 0, sizeof(*e));
	n = read_all(&b, e);
	buf_release(&b);
	return n == 1 ? 0 : -1;
}

static void
dimensions_agree(void **unused)
{
	struct err e;

	(void)unused;
	assert_int_equal(try_shapes("i8[n,n]", "i8[n,n]", 2, 2, 4, &e), 0);
	assert_int_equal(try_shapes("i8[n,n]", "i8[m,n]", 3, 2, 6, &e), 0);
	assert_int_equal(try_shapes("i8[n,n]", "bits[n,m]", 2, 9, 4, &e), 0);
	assert_int_equal(try_shapes("i8[n,n]", "i8[m,m]", 3, 3, 9, &e), 0);
	assert_int_equal(try_shapes("i8[n,n]", "i8[2,3]", 2, 3, 6, &e), 0);
	assert_int_equal(try_shapes("i8[n,n]", "i8[n,n]", 3, 3, 9, &e), -1);
	assert_string_equal(
	    e.text, "test.heed: record 1 (id 7): b has shape [3,3], expected 2 for n, as in "
	    "another field");
	assert_int_equal(try_shapes("i8[n,n]", "i8[m,m]", 3, 2, 6, &e), -1);
	assert_int_equal(try_shapes("i8[n,n]", "i8[m,3]", 3, 2, 6, &e), -1);
	assert_int_equal(try_shapes("i8[n,n]", "i8[n,n]", 2, 2, 5, &e), -1);
	assert_string_equal(e.text, "test.heed: record 1 (id 7): b has shape [2,2] and 5 bytes "
				    "of data, expected 4");
	assert_int_equal(try_shapes("i8[n,n]", "i8[n]", 2, 2, 4, &e), -1);
	assert_int_equal(try_shapes("i8[n,n]", "f32[n,m]", 2, 2, 4, &e), -1);
	assert_int_equal(try_shapes("i8[n,n]", "bits[n,m]", 2, 9, 3, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
}

/* Reads a record with one field of this type and this encoded value. */
static int
try_value(const char *type, const char *value, size_t n, struct err *e)
{
	const char *const fields[] = { "f", type };
	struct buf b = { 0 };
	int got;

	begin_stream(&b, fields, 1);
	buf_add_str(&b, "\x81\xa1" "f");
	buf_add(&b, value, n);
	end_stream(&b, 0, 1);
	memset(e, 0, sizeof(*e));
	got = read_all(&b, e);
	buf_release(&b);
	return got == 1 ? 0 : -1;
}

static void
types_are_checked(void **unused)
{
	struct err e;

	(void)unused;
	assert_int_equal(try_value("str", "\xa1" "a", 2, &e), 0);
	assert_int_equal(try_value("str", "\x05", 1, &e), -1);
	assert_string_equal(e.text, "test.heed: record 1: f is an integer, expected a str");
	assert_int_equal(try_value("str", "\xa1\xff", 2, &e), -1);
	assert_string_equal(e.text, "test.heed: record 1: f is not UTF-8 at byte 1");
	assert_int_equal(try_value("int", "\xd0\x05", 2, &e), 0);
	assert_int_equal(try_value("int", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", 9, &e), -1);
	assert_int_equal(try_value("int", "\xcb\0\0\0\0\0\0\0\0", 9, &e), -1);
	assert_int_equal(try_value("float", "\xcb\0\0\0\0\0\0\0\0", 9, &e), 0);
	assert_int_equal(try_value("float", "\x03", 1, &e), 0);
	assert_int_equal(try_value("bool", "\xc2", 1, &e), 0);
	assert_int_equal(try_value("bool", "\xc0", 1, &e), -1);
	assert_int_equal(try_value("[str]", "\x92\xa0\xa1" "a", 4, &e), 0);
	assert_int_equal(try_value("[str]", "\x92\xa0\x01", 3, &e), -1);
	assert_int_equal(try_value("[int]", "\x92\x01\xff", 3, &e), 0);
	assert_int_equal(try_value("[int]", "\x91\xce\xff\xff\xff\xff", 6, &e), -1);
	assert_int_equal(try_value("[int]", "\xa0", 1, &e), -1);
	assert_int_equal(try_value("bits[n]", "\xa0", 1, &e), -1);
	assert_int_equal(try_value("something new", "\x91\x91\xc0", 3, &e), 0);
	assert_int_equal(try_value("something new", "\xc1", 1, &e), -1);
}

static void
needs_are_checked(void **unused)
{
	const char *const fields[] = { "src", "str", "src.dep", "bits[q,q]" };
	const struct field wants_heads[] = { { "src", "str", 0 },
					     { "src.heads", "[int]", 0 },
					     { 0 } };
	const struct field maybe_heads[] = { { "src", "str", 0 },
					     { "src.heads", "[int]", 1 },
					     { 0 } };
	const struct field wants_dep[] = { { "src.dep", "bits[n,n]", 0 }, { 0 } };
	const struct field other_dep[] = { { "src.dep", "bits[n,m]", 0 }, { 0 } };
	struct buf b = { 0 };
	struct err e = { .hint = "" };
	struct reader *r;

	(void)unused;
	begin_stream(&b, fields, 2);
	end_stream(&b, 0, 0);
	assert_null(reader_memory("dev.heed", b.data, b.n, NULL, wants_heads, &e));
	assert_string_equal(e.text, "dev.heed has no src.heads");
	assert_string_equal(e.hint, "run parse first, which adds src.heads");
	assert_int_equal(e.status, EXIT_INPUT);
	assert_null(reader_memory("dev.heed", b.data, b.n, NULL, other_dep, &e));
	assert_null(reader_memory("dev.heed", b.data, b.n, "head", NULL, &e));
	assert_string_equal(e.text, "dev.heed is a stream of kind sentence, expected kind head");
	r = reader_memory("dev.heed", b.data, b.n, "sentence", maybe_heads, &e);
	assert_non_null(r);
	reader_close(r);
	r = reader_memory("dev.heed", b.data, b.n, "sentence", wants_dep, &e);
	assert_non_null(r);
	reader_close(r);
	buf_release(&b);
}

static void
streams_can_be_concatenated(void **unused)
{
	struct buf a = { 0 }, b = { 0 };
	struct err e = { .hint = "" };

	(void)unused;
	small_stream(&a, "src");
	small_stream(&b, "src");
	buf_add(&a, b.data, b.n);
	assert_int_equal(read_all(&a, &e), 4);
	small_stream(&b, "other");
	buf_add(&a, b.data, b.n);
	assert_int_equal(read_all(&a, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	small_stream(&a, "src");
	buf_add_str(&a, "x");
	assert_int_equal(read_all(&a, &e), -1);
	buf_release(&a);
	buf_release(&b);
}

static void
every_truncation_and_every_flipped_bit_is_detected(void **unused)
{
	struct buf whole = { 0 }, b = { 0 };
	struct err e = { .hint = "" };

	(void)unused;
	small_stream(&whole, "src");
	assert_int_equal(read_all(&whole, &e), 2);
	for (size_t n = 0; n < whole.n; n++) {
		buf_clear(&b);
		buf_add(&b, whole.data, n);
		assert_int_equal(read_all(&b, &e), -1);
		assert_int_equal(e.status, EXIT_INPUT);
	}
	for (size_t i = 0; i < 8 * whole.n; i++) {
		buf_clear(&b);
		buf_add(&b, whole.data, whole.n);
		b.data[i / 8] = (char)(b.data[i / 8] ^ 1 << i % 8);
		assert_int_equal(read_all(&b, &e), -1);
		assert_int_equal(e.status, EXIT_INPUT);
	}
	buf_release(&whole);
	buf_release(&b);
}

static void
wrong_counts_and_checksums_are_refused(void **unused)
{
	const char *const fields[] = { "src", "str" };
	struct buf b = { 0 };
	struct err e = { .hint = "" };

	(void)unused;
	begin_stream(&b, fields, 1);
	buf_add_str(&b, "\x81\xa3" "src\xa1" "a");
	end_stream(&b, 0, 2);
	assert_int_equal(read_all(&b, &e), -1);
	assert_string_equal(e.text, "test.heed has 1 records, expected 2 by its end record");
	begin_stream(&b, fields, 1);
	buf_add_str(&b, "\x81\xa3" "src\xa1" "a");
	end_stream(&b, 1, 1);
	assert_int_equal(read_all(&b, &e), -1);
	assert_non_null(strstr(e.text, "checksum"));
	begin_stream(&b, fields, 1);
	buf_add_str(&b, "\x82\xa3" "src\xa1" "a\xa3" "src\xa1" "a");
	end_stream(&b, 0, 1);
	assert_int_equal(read_all(&b, &e), -1);
	assert_string_equal(e.text, "test.heed: record 1: duplicate field src");
	buf_release(&b);
}

/* Empty tensors: the limit does not depend on the order of the dimensions. */
static void
dimensions_are_limited(void **unused)
{
	const int64_t tebi = (int64_t)1 << 40;

	(void)unused;
	assert_true(type_bytes(TYPE_I8, (const int64_t[]){ 0, tebi }, 2) == 0);
	assert_true(type_bytes(TYPE_I8, (const int64_t[]){ tebi, 0 }, 2) == 0);
	assert_true(type_bytes(TYPE_I8, (const int64_t[]){ 0, tebi + 1 }, 2) == -1);
	assert_true(type_bytes(TYPE_I8, (const int64_t[]){ tebi + 1, 0 }, 2) == -1);
	assert_true(type_bytes(TYPE_F32, (const int64_t[]){ 0, tebi }, 2) == -1);
	assert_true(type_bytes(TYPE_BITS, (const int64_t[]){ 2, 0, 4 * tebi }, 3) == 0);
	assert_true(type_bytes(TYPE_BITS, (const int64_t[]){ 4 * tebi, 0, 2 }, 3) == -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_read_as_written),
		cmocka_unit_test(unknown_fields_pass_through),
		cmocka_unit_test(dimensions_agree),
		cmocka_unit_test(dimensions_are_limited),
		cmocka_unit_test(types_are_checked),
		cmocka_unit_test(needs_are_checked),
		cmocka_unit_test(streams_can_be_concatenated),
		cmocka_unit_test(every_truncation_and_every_flipped_bit_is_detected),
		cmocka_unit_test(wrong_counts_and_checksums_are_refused),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
