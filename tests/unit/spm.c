/*
 * spm: what libsentencepiece may be given, with tables made by hand; and subwords and their words.
 * Segmentation is compared with spm_encode in tests/cli/spm.t.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bpe/spm-file.h"
#include "bpe/subwords.h"

enum { UNITS = 512, VALUE = (int)0x80000000, ENDS = 256 };

/* A table of the texts "a" and "ab"; the root's children are in the second block. */
struct table { unsigned char bytes[4 + 4 * UNITS + 16]; size_t n; };

static void
put(struct table *t, size_t i, uint32_t v)
{
	for (int k = 0; k < 4; k++)
		t->bytes[4 * i + (size_t)k] = (unsigned char)(v >> 8 * k);
}

/* Unit i has this label, and leads to units near `to`. */
static void
unit(struct table *t, uint32_t i, uint32_t label, uint32_t to)
{
	put(t, 1 + i, label | (i ^ to) << 10);
}

static void
make(struct table *t)
{
	static const char texts[] = "x\0\xc3\xa9";

	put(t, 0, 4 * UNITS);
	for (uint32_t i = 0; i < UNITS; i++)
		put(t, 1 + i, (uint32_t)VALUE);
	unit(t, 0, 0, 256);
	unit(t, 256 ^ 'a', 'a' | ENDS, 300);
	put(t, 1 + 300, (uint32_t)VALUE | 0);
	unit(t, 300 ^ 'b', 'b' | ENDS, 301);
	put(t, 1 + 301, (uint32_t)VALUE | 2);
	memcpy(t->bytes + 4 + 4 * UNITS, texts, sizeof(texts));
	t->n = 4 + 4 * UNITS + sizeof(texts);
}

static bool
fits(const struct table *t)
{
	return spm_charsmap_fits(t->bytes, t->n);
}

static void
test_charsmap(void **state)
{
	struct table t;

	(void)state;
	make(&t);
	assert_true(fits(&t));
	assert_true(spm_charsmap_fits(t.bytes, 0));
	t.n--;				/* the last text has no end */
	assert_false(fits(&t));
	t.n = 4 + 4 * UNITS;		/* no texts */
	assert_false(fits(&t));
	make(&t);
	put(&t, 0, 4 * UNITS - 4);	/* part of a block */
	assert_false(fits(&t));
	make(&t);
	put(&t, 1 + 301, (uint32_t)VALUE | 5);	/* a text after the last one */
	assert_false(fits(&t));
	make(&t);
	unit(&t, 300 ^ 'b', 'b', 512);	/* a block after the last one */
	assert_false(fits(&t));
	make(&t);
	unit(&t, 300 ^ 'b', 'b', 256);	/* "ab" leads to "aba" and so on */
	assert_false(fits(&t));
	make(&t);
	unit(&t, 0, 0, 300);		/* "a" is no longer led to, whatever it has */
	put(&t, 1 + (256 ^ 'a'), UINT32_MAX >> 1);
	assert_true(fits(&t));
	make(&t);
	t.bytes[4 + 4 * UNITS] = 0xff;	/* no UTF-8 */
	assert_false(fits(&t));
}

/* 33 texts of which each begins with the one before: the library has room for 32. */
static void
test_depth(void **state)
{
	struct table t;

	(void)state;
	for (uint32_t n = 32; n <= 33; n++) {
		uint32_t at = 256 ^ 'a';

		make(&t);
		put(&t, 1 + 300, (uint32_t)VALUE);
		for (uint32_t i = 1; i <= n; i++) {
			const uint32_t to = 384 + 2 * i;	/* its value, and near the next */

			unit(&t, at, (at ^ (i == 1 ? 256 : to - 2)) | ENDS, to);
			put(&t, 1 + to, (uint32_t)VALUE);
			at = to ^ 1;
		}
		assert_int_equal(fits(&t), n == 32);
	}
}

static int
check(const char *p, size_t n, const char *says)
{
	struct err e;

	if (!spm_check(p, n, &e))
		return says == NULL;
	assert_int_equal(e.status, EXIT_INPUT);
	return says && strstr(e.text, says);
}
#define CHECK(bytes, says) assert_true(check(bytes, sizeof(bytes) - 1, says))

static void
test_entries(void **state)
{
	struct buf many = { 0 };

	(void)state;
	CHECK("\x0a\x03\x0a\x01x", NULL);
	CHECK("", "no entries");
	CHECK("\x0a\x04\x0a\x01x", "not a SentencePiece model");
	CHECK("\x0a\x02\x18\x02", "entry 1 has no text");
	CHECK("\x0a\x03\x0a\x01\xff", "entry 1 is not UTF-8");
	CHECK("\x0a\x04\x0a\x02x\0", "entry 1 is not UTF-8 without NUL");
	CHECK("\x0a\x03\x0a\x01x\x0a\x08\x0a\x01y\x15\0\0\x80\x7f", "entry 2 has a score");
	CHECK("\x0a\x03\x0a\x01x\x1a\x03\x12\x01z", "the table of normalization");
	CHECK("\x0a\x03\x0a\x01x\x2a\x03\x12\x01z", "the table of normalization");
	/* user-defined entries of 64 and 65 lengths, and others */
	for (int i = 1; i <= 65; i++) {
		buf_add_char(&many, '\x0a');
		buf_add_char(&many, (char)(i + 4));
		buf_add_char(&many, '\x0a');
		buf_add_char(&many, (char)i);
		for (int k = 0; k < i; k++)
			buf_add_char(&many, 'x');
		buf_add_str(&many, i < 65 ? "\x18\x04" : "\x18\x01");
	}
	assert_true(check(many.data, many.n, NULL));
	many.data[many.n - 1] = 4;
	assert_true(check(many.data, many.n, "user-defined entries of 65 lengths"));
	buf_release(&many);
}

/* Fields of the trainer: 3, the type, a number; 44, the text for unknown subwords. */
static void
test_trainer(void **state)
{
	char long_surface[5 + 7 + 257] = "\x0a\x03\x0a\x01x\x12\x85\x02\xe2\x02\x81\x02";

	(void)state;
	assert_true(spm_is_unigram("", 0));
	assert_true(spm_is_unigram("\x12\x02\x18\x01", 4));
	assert_false(spm_is_unigram("\x12\x02\x18\x02", 4));
	assert_true(spm_is_unigram("\x12\x04\x18\x02\x18\x01", 6));
	memset(long_surface + 12, '?', 257);
	assert_true(check(long_surface, sizeof(long_surface), "unknown subwords have 257 bytes"));
}

static void
test_merge(void **state)
{
	const struct str v[] = { { "\xe2\x96\x81low", 6 }, { "er", 2 }, { "\xe2\x96\x81", 3 },
				 { "\xe2\x96\x81" "a\xe2\x96\x81" "b", 8 }, { "\xe2\x96", 2 } };
	struct buf out = { 0 };

	(void)state;
	buf_add_str(&out, "> ");
	subwords_merge(v, 5, &out);
	assert_string_equal(out.data, "> lower  a b\xe2\x96");
	buf_release(&out);
}

static void
test_words(void **state)
{
	struct subwords p = { .n = 0 };
	struct buf out = { 0 };

	(void)state;
	subwords_words(&p, "  two  men ", 11);
	assert_int_equal(p.n, 2);
	assert_true(p.v[1].n == 3 && !memcmp(p.v[1].s, "men", 3));
	assert_true(p.word[0] == 0 && p.word[1] == 1);
	subwords_join(&p, &out);
	assert_string_equal(out.data, "two men");
	subwords_words(&p, "", 0);
	assert_int_equal(p.n, 0);
	subwords_release(&p);
	buf_release(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_charsmap), cmocka_unit_test(test_depth),
		cmocka_unit_test(test_entries), cmocka_unit_test(test_trainer),
		cmocka_unit_test(test_merge), cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
