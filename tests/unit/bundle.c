/* bundle: members are read as they were written, within the precision of bytes; damage is found. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model-file/bundle.h"
#include "model-file/member.h"
#include "stream/archive.h"
#include "whole-file.h"

static const struct bundle_kind kind = { "heed-test", "a test", 7, true, NULL };

static char folder[] = "/tmp/heed-bundle-XXXXXX";
static char path[64];

/* d1 is 0 for a vector. */
static struct param *
add_param(struct params *p, const char *name, int d0, int d1)
{
	const int d[] = { d0, d1 };

	return params_add(p, name, INIT_NORMAL, 0.5f, d1 ? 2 : 1, d);
}

/* The contents: a matrix, a vector, and a row longer than the buffers of the reader. */
static void
make_shapes(struct params *p)
{
	params_init(p);
	add_param(p, "matrix", 5, 3);
	add_param(p, "exact", 2, 4);
	add_param(p, "vector", 6, 0);
	add_param(p, "long", 70001, 0);
}

static void
make_params(struct params *p)
{
	make_shapes(p);
	params_allocate(p, false);
	params_randomize(p, 11);
	memset(p->list[0]->x + 3, 0, 3 * sizeof(real));
}

static void
save(const struct params *p, size_t n)
{
	struct vocab words;
	struct err e;
	struct bundle_out *b = bundle_out_open(path, &kind, &e);

	assert_non_null(b);
	vocab_init(&words);
	bundle_out_text(b, "about", "a test");
	record_set_int(bundle_out_map(b), "answer", 42);
	bundle_out_vocab(b, "words", &words);
	bundle_out_bytes(b, "raw", "bytes", "\0\1", 2);
	for (size_t i = 0; i < n; i++)
		bundle_out_param(b, p->list[i], strcmp(p->list[i]->name, "exact"), NULL, NULL);
	bundle_out_bytes(b, "more", "text", "of a later program", 18);
	if (bundle_out_finish(b, &e))
		fail_msg("%s", e.text);
	vocab_release(&words);
}

/* The other contents; those of a damaged file are not checked before its end. */
struct facts {
	char *about, *raw;
	size_t n_raw;
	int64_t answer;
	struct vocab words;
};

static void
facts_are_right(const struct facts *f)
{
	assert_string_equal(f->about, "a test");
	assert_true(f->answer == 42);
	assert_int_equal(f->words.n, VOCAB_SPECIALS);
	assert_int_equal(f->n_raw, 2);
	assert_memory_equal(f->raw, "\0\1", 3);
}

static int
read_members(struct bundle_in *b, struct facts *f, struct params *p, struct err *e)
{
	f->about = bundle_in_text(b, "about", e);
	if (!f->about)
		return -1;
	if (record_int(bundle_in_map(b), "answer", &f->answer))
		return err_set(e, EXIT_INPUT, "no answer");
	if (bundle_in_vocab(b, "words", &f->words, e))
		return -1;
	f->raw = bundle_in_bytes(b, "raw", &f->n_raw, e);
	return f->raw ? bundle_in_params(b, p, false, e) : -1;
}

/* Reads everything before "more", which remains unread; b may be NULL. */
static int
read_all(struct bundle_in *b, struct params *p, struct err *e)
{
	struct facts f = { .about = NULL };
	int r;

	if (!b)
		return -1;
	vocab_init(&f.words);
	r = bundle_in_close(b, read_members(b, &f, p, e), e);
	if (!r)
		facts_are_right(&f);
	free(f.about);
	free(f.raw);
	vocab_release(&f.words);
	return r;
}

static void
row_is_near(const real *was, const real *is, size_t n)
{
	double most = 0, scale;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs((double)was[i]));
	scale = most / 127;
	for (size_t i = 0; i < n; i++)
		assert_true(fabs((double)was[i] - (double)is[i]) <= scale * 0.5 * (1 + 1e-5));
}

static void
members_come_back(void **state)
{
	struct params was, is;
	struct err e;

	(void)state;
	make_params(&was);
	make_shapes(&is);
	save(&was, was.n);
	if (read_all(bundle_in_open(path, &kind, &e), &is, &e))
		fail_msg("%s", e.text);
	for (size_t i = 0; i < 5; i++)
		row_is_near(was.list[0]->x + 3 * i, is.list[0]->x + 3 * i, 3);
	assert_memory_equal(is.list[1]->x, was.list[1]->x, 8 * sizeof(real));
	row_is_near(was.list[2]->x, is.list[2]->x, 6);
	row_is_near(was.list[3]->x, is.list[3]->x, 70001);
	params_release(&was);
	params_release(&is);
}

/*
 * By hand: the rows 127 -63.6 0 and 0 0.3 0.5 with scales 1 and 0.5/127 = 0x3b810204, truncated to
 * 11 bits; 0 0 0.5 with scale 2^-7, of which 0.5 is a multiple; and zeros with the smallest scale.
 */
static void
bytes_are_those_of_the_page(void **state)
{
	static const real x[] = { 127, -63.6f, 0, 0, 0.3f, 0.5f, 0, 0, 0.5f, 0, 0, 0 };
	static const char want[] = "\x00\x00\x80\x3f\x7f\xc0\x00" "\x00\x00\x81\x3b\x00\x4c\x7f"
				   "\x00\x00\x00\x3c\x00\x00\x40" "\x00\x00\x80\x00\x00\x00\x00";
	struct archive_in *in;
	struct bundle_out *b;
	struct params p;
	const char *name;
	int64_t size = 0;
	struct err e;
	size_t n;
	char *got;

	(void)state;
	params_init(&p);
	add_param(&p, "w", 4, 3);
	params_allocate(&p, false);
	memcpy(p.list[0]->x, x, sizeof(x));
	b = bundle_out_open(path, &kind, &e);
	assert_non_null(b);
	bundle_out_param(b, p.list[0], true, NULL, NULL);
	assert_int_equal(bundle_out_finish(b, &e), 0);
	in = archive_in_open(path, &e);
	assert_non_null(in);
	assert_int_equal(archive_in_next(in, &name, &size, &e), 1);
	assert_int_equal(archive_in_next(in, &name, &size, &e), 1);
	assert_string_equal(name, "param/w");
	got = archive_in_all(in, 100, &n, &e);
	assert_int_equal(n, 28);
	assert_memory_equal(got, want, 28);
	free(got);
	archive_in_close(in);
	params_release(&p);
}

/* The smallest scale is 2^-126: rows below half of it become 0, others stay within the bound. */
static void
tiny_numbers_stay_in_bounds(void **state)
{
	const real unit = (real)ldexp(1, -126);
	const real x[] = { 127 * unit, -90 * unit, unit, 0 }, y[] = { unit / 4, -unit / 2 };
	unsigned char out[4];
	real back[4];

	(void)state;
	assert_true(i8_scale(x, 4) == unit);
	i8_put(x, 4, unit, out);
	i8_get(out, 4, unit, back);
	assert_true(back[0] == 127 * unit && back[1] == -90 * unit);
	assert_true(back[2] == unit && back[3] == 0);
	assert_true(i8_scale(y, 2) == unit);
	i8_put(y, 2, unit, out);
	assert_memory_equal(out, "\0\0", 2);
}

/* Multiples q of a scale s of 11 bits: with 127 s the scale is s; without it, no value changes. */
static void
columns_of_a_row_keep_their_values(void **state)
{
	enum { N = 6 };
	static const int q[N] = { 127, 93, -62, 0, 31, 1 };
	const double s = 1367 * 0x1p-15;
	unsigned char out[N];
	real x[N], back[N];

	(void)state;
	for (int i = 0; i < N; i++)
		x[i] = (real)(q[i] * s);
	assert_true(i8_scale(x, N) == (real)s);
	for (size_t from = 1; from < N; from++) {
		const real scale = i8_scale(x + from, N - from);

		i8_put(x + from, N - from, scale, out);
		i8_get(out, N - from, scale, back);
		assert_memory_equal(back, x + from, (N - from) * sizeof(*x));
	}
}

static void
what_is_not_finite_is_not_written(void **state)
{
	static const real bad[] = { (real)NAN, (real)INFINITY, (real)-INFINITY };
	/* element 7, from 0, of 5 by 3 */
	static const char *const text[] = {
		"param/matrix: element 3,2 is nan, expected a finite number",
		"param/matrix: element 3,2 is inf, expected a finite number",
		"param/matrix: element 3,2 is -inf, expected a finite number",
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct params p;
		struct err e;
		struct bundle_out *b;

		unlink(path);
		make_params(&p);
		p.list[0]->x[7] = bad[i];
		b = bundle_out_open(path, &kind, &e);
		assert_non_null(b);
		bundle_out_param(b, p.list[0], i, NULL, NULL);
		assert_int_equal(bundle_out_finish(b, &e), -1);
		assert_int_equal(e.status, EXIT_DIVERGED);
		assert_string_equal(e.text, text[i]);
		assert_int_equal(access(path, F_OK), -1);
		params_release(&p);
	}
}

/*
 * n bytes, in memory of exactly that size, must be refused with a message that contains these
 * words.
 */
static void
refused(const unsigned char *p, size_t n, const struct bundle_kind *k, struct params *shapes,
	const char *words, const char *what, size_t at)
{
	unsigned char *copy = xmalloc(n ? n : 1);
	struct err e = { .status = EXIT_OK };
	int r;

	memcpy(copy, p, n);
	r = read_all(bundle_in_memory("x", copy, n, k, &e), shapes, &e);
	if (!r || e.status != EXIT_INPUT || strncmp(e.text, "x: ", 3) || !strstr(e.text, words))
		fail_msg("%s at %zu: status %d, %s", what, at, (int)e.status,
			 r ? e.text : "accepted");
	free(copy);
}

/* The first three parameters, whose file is small. */
static void
refused_small(const unsigned char *p, size_t n, const char *words, const char *what, size_t at)
{
	struct params is;

	params_init(&is);
	add_param(&is, "matrix", 5, 3);
	add_param(&is, "exact", 2, 4);
	add_param(&is, "vector", 6, 0);
	refused(p, n, &kind, &is, words, what, at);
	params_release(&is);
}

/* Truncated at every byte, and one bit of every byte flipped; all bits with HEED_LONG. */
static void
every_cut_and_flip_is_refused(void **state)
{
	const size_t step = getenv("HEED_LONG") ? 1 : 8;
	struct params was;
	unsigned char *p;
	size_t n;

	(void)state;
	make_params(&was);
	save(&was, 3);
	p = read_whole(path, &n);
	for (size_t i = 0; i < n; i++)
		refused_small(p, i, "x: model file is truncated: ", "cut", i);
	for (size_t i = 0; i < 8 * n; i += step) {
		const unsigned char bit = (unsigned char)(1u << (step == 1 ? i % 8 : i / 8 % 8));

		p[i / 8] ^= bit;
		refused_small(p, n, i / 8 < 5 ? "x: this is no file of heed, expected a test" :
			      "x: model file is damaged: ", "flip", i / 8);
		p[i / 8] ^= bit;
	}
	free(p);
	params_release(&was);
}

static void
another_kind_or_shape_is_refused(void **state)
{
	static const struct bundle_kind map = { "heed-model", "a model", 7, true, NULL },
		format = { .map = "heed-test", .format = 8, .i8 = true },
		format6 = { .map = "heed-test", .format = 6, .i8 = true },
		exact = { .map = "heed-test", .format = 7 };
	static const struct {
		const struct bundle_kind *kind;
		const char *name;
		int d0, d1;
		const char *words;
	} c[] = {
		{ &map, "matrix", 5, 3, "x: this is a heed-test, expected a model" },
		{ &format, "matrix", 5, 3,
		  "x: model file is of an older version: model format 7, this program reads 8" },
		{ &format6, "matrix", 5, 3,
		  "x: model file is of a newer version: model format 7, this program reads 6" },
		{ &exact, "matrix", 5, 3, "is i8 5x3 of 35 bytes, expected f32 5x3" },
		{ &kind, "matrix", 3, 5, "is i8 5x3 of 35 bytes, expected f32 or i8 3x5" },
		{ &kind, "matrix", 15, 0, "expected f32 or i8 15" },
		{ &kind, "matrix", 65536, 65536, "expected f32 or i8 65536x65536" },
		{ &kind, "Matrix", 5, 3, "found param/matrix in the table, expected param/Matrix" },
	};
	struct params was;
	unsigned char *p;
	size_t n;

	(void)state;
	make_params(&was);
	save(&was, was.n);
	p = read_whole(path, &n);
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct params is;

		params_init(&is);
		add_param(&is, c[i].name, c[i].d0, c[i].d1);
		refused(p, n, c[i].kind, &is, c[i].words, "case", i);
		assert_null(is.x);
		params_release(&is);
	}
	free(p);
	params_release(&was);
}

/* A bundle with one i8 row of one byte with this scale, and correct checksums. */
static void
save_scale(float scale)
{
	unsigned char row[5] = { 0, 0, 0, 0, 1 };
	const real x = (real)scale;
	struct record *map = record_new();
	struct buf text;
	struct archive_out *out;
	struct str line;
	struct err e;
	uint32_t crc;

	f32_put(&x, 1, row);
	text = (struct buf){ 0 };
	buf_printf(&text, "param/w\ti8\t1\t5\t%08lx", (unsigned long)crc32_add(0, row, 5));
	line = (struct str){ text.data, text.n };
	record_set_int(map, "format", 7);
	record_set_strs(map, "members", &line, 1);
	buf_clear(&text);
	record_encode(map, &text);
	out = archive_out_open(path, &e);
	assert_non_null(out);
	assert_int_equal(archive_out_member(out, "heed-test", text.data, text.n, &e), 0);
	assert_int_equal(archive_out_member(out, "param/w", row, 5, &e), 0);
	crc = crc32_add(crc32_add(0, text.data, text.n), row, 5);
	buf_clear(&text);
	buf_printf(&text, "crc32 %08lx members 2\n", (unsigned long)crc);
	assert_int_equal(archive_out_member(out, "end", text.data, text.n, &e), 0);
	assert_int_equal(archive_out_finish(out, &e), 0);
	buf_release(&text);
	record_free(map);
}

#define BAD(x) ": model file is damaged: param/w: the scale of row 1 is " x \
	", expected at least 2^-126 and less than 2^122"

static void
scales_are_in_range(void **state)
{
	static const struct { float scale; const char *text; } c[] = {	/* NULL: accepted */
		{ 0.25f, NULL }, { 0x1p-126f, NULL }, { 0x1.ffcp121f, NULL }, { 0, BAD("0") },
		{ -0.0f, BAD("-0") }, { 0x1p-149f, BAD("1.4013e-45") },
		{ 0x1.fp-127f, BAD("1.13876e-38") }, { 0x1p122f, BAD("5.31691e+36") },
		{ NAN, ": param/w: element 1 is nan, expected a finite number" },
		{ INFINITY, ": param/w: element 1 is inf, expected a finite number" },
		{ -INFINITY, BAD("-inf") }, { -1, BAD("-1") },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct bundle_in *b;
		struct params p;
		struct err e;
		int r;

		save_scale(c[i].scale);
		params_init(&p);
		add_param(&p, "w", 1, 0);
		b = bundle_in_open(path, &kind, &e);
		assert_non_null(b);
		r = bundle_in_close(b, bundle_in_params(b, &p, false, &e), &e);
		assert_int_equal(!r, !c[i].text);
		if (c[i].text)
			assert_string_equal(e.text + strlen(path), c[i].text);
		assert_true(r || p.list[0]->x[0] == c[i].scale);
		params_release(&p);
	}
}

static int
set_up(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/bundle.tar", folder);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_come_back),
		cmocka_unit_test(bytes_are_those_of_the_page),
		cmocka_unit_test(tiny_numbers_stay_in_bounds),
		cmocka_unit_test(columns_of_a_row_keep_their_values),
		cmocka_unit_test(what_is_not_finite_is_not_written),
		cmocka_unit_test(every_cut_and_flip_is_refused),
		cmocka_unit_test(another_kind_or_shape_is_refused),
		cmocka_unit_test(scales_are_in_range),
	};

	return cmocka_run_group_tests_name("bundles", tests, set_up, tear_down);
}
