/* msgpack: the strict reader, on the table of the specification and on hostile bytes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "stream/msgpack-in.h"
#include "stream/msgpack-out.h"

#define BYTES(s) (const uint8_t *)(s), sizeof(s) - 1

static enum mp_state
read_one(const uint8_t *p, size_t n, struct mp *m)
{
	enum mp_state state = MP_FINE;

	return mp_get(p, p + n, m, &state) ? MP_FINE : state;
}

static void
integers(void **unused)
{
	static const struct { const char *bytes; size_t n; int64_t v; bool minimal; } c[] = {
		{ "\x00", 1, 0, true }, { "\x7f", 1, 127, true }, { "\xff", 1, -1, true },
		{ "\xe0", 1, -32, true },
		{ "\xcc\x80", 2, 128, true }, { "\xcc\x7f", 2, 127, false },
		{ "\xcd\x01\x00", 3, 256, true }, { "\xcd\x00\xff", 3, 255, false },
		{ "\xce\x00\x01\x00\x00", 5, 65536, true },
		{ "\xce\x00\x00\xff\xff", 5, 65535, false },
		{ "\xcf\x00\x00\x00\x01\x00\x00\x00\x00", 9, INT64_C(4294967296), true },
		{ "\xcf\x00\x00\x00\x00\xff\xff\xff\xff", 9, INT64_C(4294967295), false },
		{ "\xd0\xdf", 2, -33, true }, { "\xd0\xe0", 2, -32, false },
		{ "\xd0\x05", 2, 5, false },
		{ "\xd1\xff\x7f", 3, -129, true }, { "\xd1\xff\x80", 3, -128, false },
		{ "\xd2\xff\xff\x7f\xff", 5, -32769, true },
		{ "\xd2\xff\xff\x80\x00", 5, -32768, false },
		{ "\xd3\xff\xff\xff\xff\x7f\xff\xff\xff", 9, INT64_C(-2147483649), true },
		{ "\xd3\xff\xff\xff\xff\x80\x00\x00\x00", 9, INT64_C(-2147483648), false },
		{ "\xd3\x80\x00\x00\x00\x00\x00\x00\x00", 9, INT64_MIN, true },
	};
	struct mp m;

	(void)unused;
	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		assert_int_equal(read_one((const uint8_t *)c[i].bytes, c[i].n, &m), MP_FINE);
		assert_int_equal(m.kind, MP_INT);
		assert_true(m.i == c[i].v);
		assert_int_equal(m.minimal, c[i].minimal);
		assert_int_equal(read_one((const uint8_t *)c[i].bytes, c[i].n - 1, &m), MP_SHORT);
	}
	assert_int_equal(read_one(BYTES("\xcf\xff\xff\xff\xff\xff\xff\xff\xff"), &m), MP_FINE);
	assert_true(m.huge && (uint64_t)m.i == UINT64_MAX);
}

static void
other_scalars(void **unused)
{
	struct mp m;

	(void)unused;
	assert_int_equal(read_one(BYTES("\xc0"), &m), MP_FINE);
	assert_int_equal(m.kind, MP_NIL);
	assert_int_equal(read_one(BYTES("\xc3"), &m), MP_FINE);
	assert_true(m.kind == MP_BOOL && m.i == 1);
	assert_int_equal(read_one(BYTES("\xc1"), &m), MP_WRONG);
	assert_int_equal(read_one(BYTES("\xca\x3f\xc0\x00\x00"), &m), MP_FINE);
	assert_true(m.kind == MP_FLOAT && m.f == 1.5 && !m.minimal);
	assert_int_equal(read_one(BYTES("\xcb\xc0\x04\x00\x00\x00\x00\x00\x00"), &m), MP_FINE);
	assert_true(m.kind == MP_FLOAT && m.f == -2.5 && m.minimal);
	assert_int_equal(read_one(BYTES("\xa3" "abc"), &m), MP_FINE);
	assert_true(mp_is(&m, "abc") && !mp_is(&m, "ab") && m.minimal);
	assert_int_equal(read_one(BYTES("\xd9\x03" "abc"), &m), MP_FINE);
	assert_true(mp_is(&m, "abc") && !m.minimal);
	assert_int_equal(read_one(BYTES("\xc4\x02" "ab"), &m), MP_FINE);
	assert_true(m.kind == MP_BIN && m.n == 2 && m.minimal);
	assert_int_equal(read_one(BYTES("\xd5\x05" "ab"), &m), MP_FINE);
	assert_true(m.kind == MP_EXT && m.n == 2 && m.ext == 5);
	assert_int_equal(read_one(BYTES("\xc7\x03\xff" "abc"), &m), MP_FINE);
	assert_true(m.kind == MP_EXT && m.n == 3 && m.ext == -1 && m.minimal);
}

static void
claimed_sizes_are_checked(void **unused)
{
	static const uint8_t cut[] = { 0x92, 0x01 };
	enum mp_state state = MP_FINE;
	struct mp m;

	(void)unused;
	assert_null(mp_skip(cut, cut + 2, 0, &state));
	assert_int_equal(state, MP_SHORT);
	assert_int_equal(read_one(BYTES("\xdb\xff\xff\xff\xff" "abc"), &m), MP_SHORT);
	assert_int_equal(read_one(BYTES("\xdd\xff\xff\xff\xff" "abc"), &m), MP_SHORT);
	assert_int_equal(read_one(BYTES("\xdf\x7f\xff\xff\xff" "abc"), &m), MP_SHORT);
	assert_int_equal(read_one(BYTES("\x82\x01\x02\x03"), &m), MP_SHORT);
}

static void
nesting_is_limited_to_eight(void **unused)
{
	static const uint8_t deep[] = { 0x91, 0x91, 0x91, 0x91, 0x91, 0x91, 0x91, 0x91, 0x91,
					0xc0 };
	enum mp_state state = MP_FINE;
	struct mp_walk w = { 0 };

	(void)unused;
	assert_ptr_equal(mp_skip(deep + 1, deep + 10, 0, &state), deep + 10);
	assert_null(mp_skip(deep, deep + 10, 0, &state));
	assert_int_equal(state, MP_DEEP);
	assert_int_equal(mp_walk(&w, deep + 1, 9), MP_FINE);
	memset(&w, 0, sizeof(w));
	assert_int_equal(mp_walk(&w, deep, 10), MP_DEEP);
}

/*
 * An object that arrives byte by byte is complete exactly at its end, and requests no excess bytes.
 */
static void
objects_arrive_in_parts(void **unused)
{
	static const uint8_t object[] = "\x84\xa1" "a\x93\x01\x02\xcd\x01\x00\xa1"
		"b\xc4\x03xyz\xa1" "c\x80\xa1" "d"
					"\x82\xa1s\x92\x02\x03\xa1" "d\xc5\x00\x01q";
	size_t n = sizeof(object) - 1;
	struct mp_walk w = { 0 };
	enum mp_state state;

	(void)unused;
	assert_ptr_equal(mp_skip(object, object + n, 0, &state), object + n);
	for (size_t have = 0; have < n; have++) {
		assert_int_equal(mp_walk(&w, object, have), MP_SHORT);
		assert_true(w.want > have && w.want <= n);
	}
	assert_int_equal(mp_walk(&w, object, n), MP_FINE);
	assert_int_equal(w.at, n);
}

static void
written_objects_are_minimal(void **unused)
{
	static const int64_t v[] = { 0, 127, 128, 255, 256, 65535, 65536, INT64_C(4294967295),
				     INT64_C(4294967296), INT64_MAX,
				     -1, -32, -33, -128, -129, -32768, -32769, INT64_C(-2147483648),
				     INT64_C(-2147483649),
				     INT64_MIN };
	static const size_t lengths[] = { 0, 1, 15, 16, 31, 32, 255, 256, 65535, 65536 };
	struct buf b = { 0 };
	static char text[65536];
	struct mp m;

	(void)unused;
	for (size_t i = 0; i < sizeof(v) / sizeof(*v); i++) {
		buf_clear(&b);
		mp_put_int(&b, v[i]);
		assert_int_equal(read_one((uint8_t *)b.data, b.n, &m), MP_FINE);
		assert_true(m.kind == MP_INT && m.i == v[i] && m.minimal);
	}
	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		buf_clear(&b);
		mp_put_str(&b, text, lengths[i]);
		assert_int_equal(read_one((uint8_t *)b.data, b.n, &m), MP_FINE);
		assert_true(m.kind == MP_STR && m.n == lengths[i] && m.minimal);
		buf_clear(&b);
		mp_put_bin(&b, text, lengths[i]);
		assert_int_equal(read_one((uint8_t *)b.data, b.n, &m), MP_FINE);
		assert_true(m.kind == MP_BIN && m.n == lengths[i] && m.minimal);
	}
	buf_clear(&b);
	mp_put_float(&b, 0.1);
	mp_put_bool(&b, false);
	mp_put_nil(&b);
	mp_put_uint(&b, UINT64_MAX);
	assert_memory_equal(b.data,
			    "\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a\xc2\xc0\xcf\xff\xff\xff\xff\xff"
			    "\xff\xff\xff", 20);
	buf_release(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers),
		cmocka_unit_test(other_scalars),
		cmocka_unit_test(claimed_sizes_are_checked),
		cmocka_unit_test(nesting_is_limited_to_eight),
		cmocka_unit_test(objects_arrive_in_parts),
		cmocka_unit_test(written_objects_are_minimal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
