/* stream: records are read back as they were written, and everything else is refused. */
#include <fcntl.h>
#include <math.h>
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
#include "base/cli.h"
#include "base/hash.h"
#include "base/mem.h"
#include "stream/msgpack-out.h"
#include "stream/store.h"
#include "stream/stream.h"

static char path[] = "/tmp/heed-stream-XXXXXX";

static void
read_file(struct buf *b)
{
	FILE *f = fopen(path, "rb");
	char block[4096];
	size_t n;

	assert_non_null(f);
	buf_clear(b);
	while ((n = fread(block, 1, sizeof(block), f)))
		buf_add(b, block, n);
	fclose(f);
}

static void
write_file(const void *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static struct writer *
open_writer(const struct field *adds, struct err *e)
{
	struct writer *w = writer_open(path, "sentence", NULL, adds, STREAM_NO_PG, e);

	assert_non_null(w);
	return w;
}

static struct reader *
open_bytes(const struct buf *b, struct err *e)
{
	return reader_memory("test.heed", b->data, b->n, NULL, NULL, 0, e);
}

/* Reads all records; returns their number, or -1 and e. */
static int
read_all(const struct buf *b, struct err *e)
{
	struct reader *r = open_bytes(b, e);
	struct record *rec;
	int n = 0, more;

	if (!r)
		return -1;
	while ((more = reader_next(r, &rec, e)) > 0)
		n++;
	reader_close(r);
	return more < 0 ? -1 : n;
}

/* --- a stream encoded by hand, independent of the writer --- */

static void
begin_stream(struct buf *b, const char *const *field, int n)
{
	buf_clear(b);
	mp_put_array(b, 4);
	mp_put_text(b, "heed");
	mp_put_int(b, 1);
	mp_put_text(b, "sentence");
	mp_put_map(b, 1);
	mp_put_text(b, "fields");
	mp_put_map(b, (size_t)n);
	for (int i = 0; i < 2 * n; i++)
		mp_put_text(b, field[i]);
}

static void
end_stream(struct buf *b, size_t from, int64_t n)
{
	uint32_t crc = crc32_add(0, b->data + from, b->n - from);

	mp_put_array(b, 3);
	mp_put_text(b, "heed-end");
	mp_put_int(b, n);
	mp_put_uint(b, crc);
}

/* --- tests --- */

static const struct field all_types[] = { { "id", "int", 0 },	      { "s", "str", 0 },
					  { "f", "float", 0 },	      { "b", "bool", 0 },
					  { "ss", "[str]", 0 },	      { "ii", "[int]", 0 },
					  { "f32", "f32[n,m]", 0 },   { "i8", "i8[n,n]", 0 },
					  { "bits", "bits[n,m]", 0 }, { 0 } };

static const float floats[6] = { 1, -2.5f, 3e30f, 0, 1e-30f, -0.0f };
static const int8_t bytes4[4] = { -128, 0, 1, 127 };
static const uint8_t bits2[2] = { 5, 2 };	/* 101 and 010 */

static void
fill(struct record *rec, int64_t id)
{
	const struct str ss[3] = { { "ab", 2 }, { "", 0 }, { "\xc3\xa4", 2 } };
	const int32_t ii[4] = { 0, -1, INT32_MAX, INT32_MIN };
	const struct tensor f32 = { TENSOR_F32, 2, { 2, 3, 0, 0 }, floats };
	const struct tensor i8 = { TENSOR_I8, 2, { 2, 2, 0, 0 }, bytes4 };
	const struct tensor bits = { TENSOR_BITS, 2, { 2, 3, 0, 0 }, bits2 };

	record_clear(rec);
	record_set_int(rec, "id", id);
	record_set_str(rec, "s", "text with \0 byte", 16);
	record_set_float(rec, "f", 0.1);
	record_set_bool(rec, "b", true);
	record_set_strs(rec, "ss", ss, 3);
	record_set_ints(rec, "ii", ii, 4);
	record_set_tensor(rec, "f32", &f32);
	record_set_tensor(rec, "i8", &i8);
	record_set_tensor(rec, "bits", &bits);
}

static void
check_tensors(const struct record *rec)
{
	struct tensor t;

	assert_int_equal(record_tensor(rec, "f32", &t), 0);
	assert_int_equal(t.type, TENSOR_F32);
	assert_true(t.n_dim == 2 && t.d[0] == 2 && t.d[1] == 3);
	assert_memory_equal(t.data, floats, sizeof(floats));
	assert_int_equal(record_tensor(rec, "i8", &t), 0);
	assert_int_equal(t.type, TENSOR_I8);
	assert_memory_equal(t.data, bytes4, 4);
	assert_int_equal(record_tensor(rec, "bits", &t), 0);
	assert_int_equal(t.type, TENSOR_BITS);
	assert_true(tensor_bit(&t, 0, 0) && !tensor_bit(&t, 0, 1) && tensor_bit(&t, 0, 2));
	assert_true(!tensor_bit(&t, 1, 0) && tensor_bit(&t, 1, 1) && !tensor_bit(&t, 1, 2));
	assert_int_equal(record_tensor(rec, "s", &t), -1);
}

static void
check_record(const struct record *rec, int64_t id)
{
	const struct str *ss;
	const int32_t *ii;
	struct str s;
	int64_t i;
	double f;
	size_t n;
	bool b;

	assert_int_equal(record_int(rec, "id", &i), 0);
	assert_true(i == id);
	assert_int_equal(record_str(rec, "s", &s), 0);
	assert_int_equal(s.n, 16);
	assert_memory_equal(s.s, "text with \0 byte", 16);
	assert_int_equal(record_float(rec, "f", &f), 0);
	assert_true(f == 0.1);
	assert_int_equal(record_float(rec, "id", &f), 0);
	assert_true(f == (double)id);
	assert_int_equal(record_bool(rec, "b", &b), 0);
	assert_true(b);
	assert_int_equal(record_strs(rec, "ss", &ss, &n), 0);
	assert_true(n == 3 && ss[1].n == 0 && ss[2].n == 2 && !memcmp(ss[2].s, "\xc3\xa4", 2));
	assert_int_equal(record_ints(rec, "ii", &ii, &n), 0);
	assert_true(n == 4 && ii[0] == 0 && ii[1] == -1 && ii[2] == INT32_MAX &&
		    ii[3] == INT32_MIN);
	check_tensors(rec);
	assert_int_equal(record_int(rec, "s", &i), -1);
	assert_int_equal(record_str(rec, "nothing", &s), -1);
	assert_int_equal(record_strs(rec, "ii", &ss, &n), -1);
	assert_int_equal(record_ints(rec, "ii", &ii, &n), 0);
}

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

static void
unknown_fields_pass_through(void **unused)
{
	const char *const fields[] = { "x.first", "any", "src", "str", "x.last", "bits[n]" };
	static const char last[] = "\x82\xa1" "d\xc4\x01\x07\xa1s\x91\x03";
	struct buf in = { 0 }, out = { 0 }, want = { 0 };
	struct err e = { .hint = "" };
	struct record *rec;
	struct reader *r;
	struct writer *w;
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
		r = open_bytes(&in, &e);
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
	assert_null(reader_memory("dev.heed", b.data, b.n, NULL, wants_heads, 0, &e));
	assert_string_equal(e.text, "dev.heed has no src.heads");
	assert_string_equal(e.hint, "run parse first, which adds src.heads");
	assert_int_equal(e.status, EXIT_INPUT);
	assert_null(reader_memory("dev.heed", b.data, b.n, NULL, other_dep, 0, &e));
	assert_null(reader_memory("dev.heed", b.data, b.n, "head", NULL, 0, &e));
	assert_string_equal(e.text, "dev.heed is a stream of kind sentence, expected kind head");
	r = reader_memory("dev.heed", b.data, b.n, "sentence", maybe_heads, 0, &e);
	assert_non_null(r);
	reader_close(r);
	r = reader_memory("dev.heed", b.data, b.n, "sentence", wants_dep, 0, &e);
	assert_non_null(r);
	reader_close(r);
	buf_release(&b);
}

static void
small_stream(struct buf *b, const char *field)
{
	const char *const fields[] = { field, "str" };

	begin_stream(b, fields, 1);
	buf_add_str(b, "\x81\xa3" "src\xa1" "a\x93\xa9heed-note\xa1n\xa1v\x81\xa3" "src\xa1" "b");
	end_stream(b, 0, 2);
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

static int
keep_note(void *arg, const void *p, size_t n, struct err *e)
{
	(void)e;
	buf_add(arg, p, n);
	return 0;
}

static void
notes_pass_through_in_place(void **unused)
{
	struct buf in = { 0 }, out = { 0 }, note = { 0 };
	struct err e = { .hint = "" };
	struct reader *r;
	struct record *rec;
	struct writer *w;

	(void)unused;
	small_stream(&in, "src");
	r = open_bytes(&in, &e);
	w = writer_open(path, NULL, reader_header(r), NULL, STREAM_NO_PG, &e);
	assert_non_null(w);
	reader_notes_to(r, w);
	while (reader_next(r, &rec, &e) > 0)
		assert_int_equal(writer_put(w, rec, &e), 0);
	assert_int_equal(writer_finish(w, &e), 0);
	reader_close(r);
	read_file(&out);
	assert_int_equal(out.n, in.n);
	assert_memory_equal(out.data, in.data, in.n);
	r = open_bytes(&in, &e);
	reader_on_note(r, keep_note, &note);
	while (reader_next(r, &rec, &e) > 0)
		;
	assert_string_equal(note.data, "\x93\xa9heed-note\xa1n\xa1v");
	reader_close(r);
	buf_release(&in);
	buf_release(&out);
	buf_release(&note);
}

static bool
has(const struct buf *b, const char *bytes)
{
	size_t n = strlen(bytes);

	for (size_t i = 0; i + n <= b->n; i++)
		if (!memcmp(b->data + i, bytes, n))
			return true;
	return false;
}

static void
provenance_is_appended(void **unused)
{
	static const struct field adds[] = { { "src", "str", 0 }, { 0 } };
	struct buf b = { 0 };
	struct err e = { .hint = "" };
	struct writer *w;
	struct reader *r;

	(void)unused;
	err_program("first");
	w = writer_open(path, "sentence", NULL, adds, 0, &e);
	writer_set_meta(w, "language", "en");
	assert_int_equal(writer_finish(w, &e), 0);
	r = reader_open(path, NULL, NULL, 0, &e);
	assert_non_null(r);
	assert_string_equal(header_meta(reader_header(r), "language"), "en");
	assert_null(header_meta(reader_header(r), "fields"));
	err_program("second");
	w = writer_open(path, NULL, reader_header(r), NULL, 0, &e);
	assert_int_equal(writer_finish(w, &e), 0);
	reader_close(r);
	read_file(&b);
	assert_true(has(&b, "\xa2pg\x92\x83\xa7program\xa5" "first\xa7version"));
	assert_true(has(&b, "\xa7program\xa6second"));
	buf_release(&b);
}

static void
limits_are_enforced(void **unused)
{
	const char *const fields[] = { "src", "str" };
	struct buf b = { 0 };
	struct err e = { .hint = "" };
	struct record *rec;
	struct reader *r;

	(void)unused;
	begin_stream(&b, fields, 1);
	buf_add(&b, "\x81\xa3src\xdb\x00\x00\x04\x00", 10);
	for (int i = 0; i < 1024; i++)
		buf_add_char(&b, 'x');
	end_stream(&b, 0, 1);
	r = open_bytes(&b, &e);
	reader_max_record(r, 1000);
	assert_int_equal(reader_next(r, &rec, &e), -1);
	assert_string_equal(e.text, "test.heed: record 1 has more than 1000 bytes");
	reader_close(r);
	r = open_bytes(&b, &e);
	reader_max_record(r, 1034);
	assert_int_equal(reader_next(r, &rec, &e), 1);
	reader_close(r);

	begin_stream(&b, fields, 1);
	buf_add(&b, "\x81\xa3src\xdb\xff\xff\xff\xff", 10);
	assert_int_equal(read_all(&b, &e), -1);
	assert_string_equal(e.text, "test.heed: record 1 has more than 67108864 bytes");
	begin_stream(&b, fields, 1);
	buf_add(&b, "\xdf\xff\xff\xff\xff", 5);
	assert_int_equal(read_all(&b, &e), -1);
	begin_stream(&b, fields, 1);
	buf_add_str(&b, "\x81\xa1x\x91\x91\x91\x91\x91\x91\x91\x91\xc0");
	end_stream(&b, 0, 1);
	assert_int_equal(read_all(&b, &e), -1);
	assert_non_null(strstr(e.text, "nested deeper than 8"));
	buf_release(&b);
}

static int
count_record(const struct record *rec, int64_t number, void *arg, struct err *e)
{
	int64_t id;

	(void)e;
	assert_int_equal(record_int(rec, "id", &id), 0);
	assert_true(id == number);
	++*(int64_t *)arg;
	return 0;
}

static int
refuse_record(const struct record *rec, int64_t number, void *arg, struct err *e)
{
	(void)rec;
	(void)arg;
	return number == 5 ? err_set(e, EXIT_INPUT, "record five is refused") : 0;
}

/* Records are read in any order, from a file with notes between the records. */
static void
a_store_returns_any_record(void **unused)
{
	struct record *rec = record_new();
	struct err e = { .hint = "" };
	struct writer *w = open_writer(all_types, &e);
	struct store *s;
	int64_t count = 0;
	char *word;

	(void)unused;
	for (int i = 0; i < 500; i++) {
		fill(rec, i);
		assert_int_equal(writer_put(w, rec, &e), 0);
		if (i % 7 == 0)
			assert_int_equal(writer_note(w, "n", "v", &e), 0);
	}
	assert_int_equal(writer_finish(w, &e), 0);
	s = store_open(path, "sentence", all_types, 0, count_record, &count, &e);
	assert_non_null(s);
	assert_true(count == 500 && store_count(s) == 500);
	for (int i = 0; i < 500; i++) {
		assert_int_equal(store_record(s, i * 337 % 500, rec, &e), 0);
		check_record(rec, i * 337 % 500);
	}
	store_close(s);
	assert_null(store_open(path, NULL, NULL, 0, refuse_record, NULL, &e));
	word = xasprintf("%s: record 6 (id 5): record five is refused", path);
	assert_string_equal(e.text, word);
	free(word);
	record_free(rec);
}

static void
a_store_refuses_a_truncated_file(void **unused)
{
	struct buf b = { 0 };
	struct err e = { .hint = "" };

	(void)unused;
	small_stream(&b, "src");
	write_file(b.data, b.n - 1);
	assert_null(store_open(path, NULL, NULL, 0, NULL, NULL, &e));
	assert_int_equal(e.status, EXIT_INPUT);
	write_file(b.data, 0);
	assert_null(store_open(path, NULL, NULL, 0, NULL, NULL, &e));
	assert_int_equal(e.status, EXIT_INPUT);
	buf_release(&b);
}

static void
records_can_be_edited(void **unused)
{
	struct record *rec = record_new();
	struct err e = { .hint = "" };
	struct buf b = { 0 };
	int64_t v;

	(void)unused;
	record_set_int(rec, "a", 1);
	record_set_int(rec, "b", 2);
	record_set_int(rec, "c", 3);
	record_delete(rec, "b");
	record_delete(rec, "nothing");
	record_set_int(rec, "a", 1000);
	record_set_raw(rec, "d", "\xc0", 1);
	record_encode(rec, &b);
	assert_int_equal(b.n, 12);
	assert_memory_equal(b.data, "\x83\xa1" "a\xcd\x03\xe8\xa1" "c\x03\xa1" "d\xc0", 12);
	assert_false(record_has(rec, "b"));
	assert_int_equal(record_decode(rec, b.data, b.n, &e), 0);
	assert_int_equal(record_int(rec, "a", &v), 0);
	assert_true(v == 1000);
	assert_int_equal(record_decode(rec, b.data, b.n - 1, &e), -1);
	buf_release(&b);
	record_free(rec);
}

static int
make_file(void **unused)
{
	int fd = mkstemp(path);

	(void)unused;
	if (fd >= 0)
		close(fd);
	err_program("test");
	return fd < 0;
}

static int
remove_file(void **unused)
{
	(void)unused;
	return unlink(path);
}

/* A NaN that was read is written again; one that was set is refused until it is replaced. */
static void
a_nan_that_was_set_is_refused(void **unused)
{
	static const float good[] = { 1, -INFINITY }, bad[] = { 1, NAN };
	const struct tensor x[] = {
		{ .type = TENSOR_F32, .n_dim = 1, .d = { 2 }, .data = good },
		{ .type = TENSOR_F32, .n_dim = 1, .d = { 2 }, .data = bad },
	};
	struct record *rec = record_new(), *copy = record_new();
	struct buf b = { 0 };
	struct writer *w;
	struct err e;

	(void)unused;
	w = open_writer(NULL, &e);
	assert_non_null(w);
	record_set_float(rec, "x.f", -INFINITY);
	record_set_tensor(rec, "x.t", &x[0]);
	assert_int_equal(writer_put(w, rec, &e), 0);
	record_set_float(rec, "x.f", -NAN);
	assert_int_equal(record_copy(copy, rec), 0);
	assert_int_equal(writer_put(w, copy, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_string_equal(e.text, "output record 2: x.f is nan, expected a number");
	record_set_float(rec, "x.f", 2);
	assert_int_equal(writer_put(w, rec, &e), 0);
	record_set_tensor(rec, "x.t", &x[1]);
	assert_int_equal(writer_put(w, rec, &e), -1);
	assert_string_equal(e.text, "output record 3: x.t is nan, expected a number");
	record_encode(rec, &b);
	assert_int_equal(record_decode(copy, b.data, b.n, &e), 0);
	assert_int_equal(writer_put(w, copy, &e), 0);
	writer_abandon(w);
	record_free(rec);
	record_free(copy);
	buf_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_read_as_written),
		cmocka_unit_test(unknown_fields_pass_through),
		cmocka_unit_test(dimensions_agree),
		cmocka_unit_test(types_are_checked),
		cmocka_unit_test(needs_are_checked),
		cmocka_unit_test(streams_can_be_concatenated),
		cmocka_unit_test(every_truncation_and_every_flipped_bit_is_detected),
		cmocka_unit_test(wrong_counts_and_checksums_are_refused),
		cmocka_unit_test(notes_pass_through_in_place),
		cmocka_unit_test(provenance_is_appended),
		cmocka_unit_test(a_nan_that_was_set_is_refused),
		cmocka_unit_test(limits_are_enforced),
		cmocka_unit_test(a_store_returns_any_record),
		cmocka_unit_test(a_store_refuses_a_truncated_file),
		cmocka_unit_test(records_can_be_edited),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
