/* stream-file: streams in a temporary file, for the tests of streams. */
#ifndef STREAM_FILE_H
#define STREAM_FILE_H

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

static inline void
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

static inline struct writer *
open_writer(const struct field *adds, struct err *e)
{
	struct writer *w = writer_open(path, "sentence", NULL, adds, STREAM_NO_PG, e);

	assert_non_null(w);
	return w;
}

static inline struct reader *
open_bytes(const struct buf *b, struct err *e)
{
	return reader_memory("test.heed", b->data, b->n, NULL, NULL, e);
}

/* Reads all records; returns their number, or -1 and e. */
static inline int
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

static inline void
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

static inline void
end_stream(struct buf *b, size_t from, int64_t n)
{
	uint32_t crc = crc32_add(0, b->data + from, b->n - from);

	mp_put_array(b, 3);
	mp_put_text(b, "heed-end");
	mp_put_int(b, n);
	mp_put_uint(b, crc);
}

static const struct field all_types[] = { { "id", "int", 0 },	      { "s", "str", 0 },
					  { "f", "float", 0 },	      { "b", "bool", 0 },
					  { "ss", "[str]", 0 },	      { "ii", "[int]", 0 },
					  { "f32", "f32[n,m]", 0 },   { "i8", "i8[n,n]", 0 },
					  { "bits", "bits[n,m]", 0 }, { 0 } };

static const float floats[6] = { 1, -2.5f, 3e30f, 0, 1e-30f, -0.0f };
static const int8_t bytes4[4] = { -128, 0, 1, 127 };
static const uint8_t bits2[2] = { 5, 2 };	/* 101 and 010 */

static inline void
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

static inline void
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

static inline void
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

static inline void
small_stream(struct buf *b, const char *field)
{
	const char *const fields[] = { field, "str" };

	begin_stream(b, fields, 1);
	buf_add_str(b, "\x81\xa3" "src\xa1" "a\x93\xa9heed-note\xa1n\xa1v\x81\xa3" "src\xa1" "b");
	end_stream(b, 0, 2);
}

static inline int
make_file(void **unused)
{
	int fd = mkstemp(path);

	(void)unused;
	if (fd >= 0)
		close(fd);
	err_program("test");
	return fd < 0;
}

static inline int
remove_file(void **unused)
{
	(void)unused;
	return unlink(path);
}

#endif
