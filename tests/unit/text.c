/* text: utf8, vocab, unicode and word-count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "text/tokenizers.h"
#include "text/unicode.h"
#include "text/vocab.h"
#include "text/word-count.h"

/* By definition: the shortest form that encodes a scalar value. */
static int
is_scalar(int32_t c)
{
	return c >= 0 && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
}

static void
every_code_point_is_encoded_and_decoded(void **state)
{
	char s[4];
	size_t len;

	(void)state;
	for (int32_t c = 0; c <= 0x10ffff; c++) {
		size_t n;

		if (!is_scalar(c))
			continue;
		n = utf8_put(c, s);
		if (utf8_next(s, n, &len) != c || len != n || utf8_check(s, n) != n)
			fail_msg("U+%04X", (unsigned)c);
		for (size_t cut = 1; cut < n; cut++)
			if (utf8_next(s, cut, &len) != -1 || len != 1)
				fail_msg("U+%04X cut after %zu bytes", (unsigned)c, cut);
	}
}

/* Of all sequences of up to three bytes, exactly those that utf8_put() writes are valid. */
static void
only_shortest_forms_of_scalars_are_valid(void **state)
{
	size_t len, valid = 0;

	(void)state;
	for (unsigned v = 0; v < 1u << 24; v++) {
		const char s[3] = { (char)(v >> 16), (char)(v >> 8), (char)v };
		int32_t c;

		if ((v & 0xffff) && (unsigned char)s[0] < 0xc0)
			continue;
		c = utf8_next(s, 3, &len);
		if (c >= 0 && len == 3) {
			char back[4];

			valid++;
			assert_int_equal(utf8_put(c, back), 3);
			assert_memory_equal(back, s, 3);
		}
	}
	/* U+0800 to U+FFFF except surrogates */
	assert_int_equal(valid, 0x10000 - 0x800 - 0x800);
}

static void
the_first_invalid_byte_is_found(void **state)
{
	char text[64];

	(void)state;
	for (size_t n = 0; n < sizeof(text); n++) {
		memset(text, 'a', sizeof(text));
		assert_int_equal(utf8_check(text, n), n);
		for (size_t bad = 0; bad < n; bad++) {
			text[bad] = (char)0x80;
			assert_int_equal(utf8_check(text, n), bad);
			text[bad] = 'a';
		}
	}
	assert_int_equal(utf8_check("\xf4\x90\x80\x80", 4), 0);	/* above U+10FFFF */
	assert_int_equal(utf8_check("\xed\xa0\x80", 3), 0);		/* a surrogate */
	assert_int_equal(utf8_check("\xc1\xbf", 2), 0);		/* too long for U+007F */
	assert_int_equal(utf8_check("x\xf0\x9f\x98\x80", 5), 5);
}

static void
characters_have_the_classes_of_the_standard(void **state)
{
	(void)state;
	assert_int_equal(unicode_classes('a'), UNICODE_ALPHA | UNICODE_ALNUM | UNICODE_LOWER);
	assert_int_equal(unicode_classes('7'), UNICODE_NUMBER | UNICODE_ALNUM);
	assert_int_equal(unicode_classes('$'), UNICODE_SYMBOL | UNICODE_CURRENCY);
	assert_int_equal(unicode_classes(0x20ac), UNICODE_SYMBOL | UNICODE_CURRENCY);	/* euro */
	assert_int_equal(unicode_classes(0x201e), UNICODE_PUNCTUATION);	/* low quote */
	assert_int_equal(unicode_classes(0xbd), UNICODE_NUMBER);	/* one half */
	assert_int_equal(unicode_classes(0x3000), UNICODE_SPACE);	/* ideographic */
	assert_int_equal(unicode_classes(0x65e5), UNICODE_ALPHA | UNICODE_ALNUM);	/* sun */
	assert_int_equal(unicode_classes(0x0301), 0);	/* combining accent */
	assert_int_equal(unicode_classes(0x2163), UNICODE_NUMBER | UNICODE_ALPHA | UNICODE_ALNUM);
	assert_int_equal(unicode_classes(0x110000), 0);
	assert_int_equal(unicode_classes(-1), 0);
	assert_true(unicode_python_space(0x1c) && unicode_python_space(0x2028) &&
		    !unicode_python_space('x'));
	assert_true(unicode_cjk(0x3042) && unicode_cjk(0xac00) && !unicode_cjk(0x41));
}

static void
a_vocabulary_is_sorted_by_count_and_bytes(void **state)
{
	static const char *const word[] = { "b", "<s>", "a", "rare", "é", "</s>", "", "x\ny",
					    "\xff" };
	static const int64_t count[] = { 5, 9, 5, 1, 5, 2, 50, 50, 50 };
	static const char *const want[] = { "<s>", "a", "b", "é", "</s>" };
	struct strmap types;
	struct vocab v;
	size_t n;

	(void)state;
	types = (struct strmap){ 0 };
	for (size_t i = 0; i < 9; i++)
		strmap_add(&types, word[i], strlen(word[i]));
	vocab_from_counts(&v, &types, count, 2, 0);
	assert_int_equal(v.n, VOCAB_SPECIALS + 5);
	for (int i = 0; i < 5; i++) {
		assert_string_equal(vocab_text(&v, VOCAB_SPECIALS + i, &n), want[i]);
		assert_int_equal(n, strlen(want[i]));
		assert_int_equal(vocab_id(&v, want[i], n), VOCAB_SPECIALS + i);
	}
	vocab_release(&v);
	vocab_from_counts(&v, &types, count, 0, 3);
	assert_int_equal(v.n, VOCAB_SPECIALS + 3);
	vocab_release(&v);
	strmap_release(&types);
}

/* "<s>" or "<unk>" in a corpus must not become a special token. */
static void
text_never_becomes_a_special_token(void **state)
{
	static const char *const special[] = { "<pad>", "<s>", "</s>", "<unk>" };
	struct vocab v;
	struct err e;

	(void)state;
	vocab_init(&v);
	for (int i = 0; i < VOCAB_SPECIALS; i++) {
		assert_int_equal(vocab_id(&v, special[i], strlen(special[i])), VOCAB_UNK);
		assert_string_equal(vocab_text(&v, i, NULL), special[i]);
	}
	vocab_release(&v);
	assert_int_equal(vocab_read(&v, "a\n</s>\n<pad>\n", 13, &e), 0);
	assert_int_equal(vocab_id(&v, "</s>", 4), VOCAB_SPECIALS + 1);
	assert_int_equal(vocab_id(&v, "<pad>", 5), VOCAB_SPECIALS + 2);
	vocab_release(&v);
}

static void
a_vocabulary_is_read_as_written(void **state)
{
	static const char text[] = "der\n@@\nä\n<s>\n";
	struct vocab v, w;
	struct buf out = { 0 };
	struct err e;

	(void)state;
	assert_int_equal(vocab_read(&v, text, sizeof(text) - 1, &e), 0);
	vocab_write(&v, &out);
	assert_int_equal(out.n, sizeof(text) - 1);
	assert_memory_equal(out.data, text, out.n);
	assert_int_equal(vocab_read(&w, "der\n@@\n<s>\nä\n", 14, &e), 0);
	assert_true(vocab_digest(&v) != vocab_digest(&w));
	vocab_release(&w);
	vocab_init(&w);
	assert_true(vocab_digest(&w) == UINT64_C(0xcbf29ce484222325));	/* FNV-1a of nothing */
	vocab_release(&w);
	vocab_release(&v);
	buf_release(&out);
}

static void
malformed_vocabularies_name_the_line(void **state)
{
	static const struct { const char *text, *want; } bad[] = {
		{ "a\nb\na\n", "line 3" }, { "a\n\nb\n", "line 2" }, { "a\nb", "line 2" },
		{ "a\nb\xff\n", "line 2: byte 2 is not UTF-8" }
	};
	struct vocab v;
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(vocab_read(&v, bad[i].text, strlen(bad[i].text), &e), -1);
		assert_int_equal(e.status, EXIT_INPUT);
		assert_non_null(strstr(e.text, bad[i].want));
		assert_int_equal(v.n, VOCAB_SPECIALS);
		vocab_release(&v);
	}
}

static void
words_are_counted_in_order_of_occurrence(void **state)
{
	struct word_count c;
	struct buf out = { 0 };
	int64_t total = 0;
	struct err e;

	(void)state;
	c = (struct word_count){ 0 };
	word_count_line(&c, " \r b a  b\tc a\r ", 15);
	word_count_line(&c, "", 0);
	word_count_write(&c, &out);
	assert_string_equal(out.data, "a 2\nb 1\nb\tc 1\n");
	assert_int_equal(word_count_entry(&c, "a 40\r", 5, &total, &e), 0);
	assert_int_equal(c.count[strmap_find(&c.words, "a", 1)], 42);
	assert_int_equal(word_count_entry(&c, "a", 1, &total, &e), -1);
	assert_int_equal(word_count_entry(&c, "a -1", 4, &total, &e), -1);
	assert_int_equal(word_count_entry(&c, "a 1 2", 5, &total, &e), -1);
	assert_int_equal(word_count_entry(&c, "a 9007199254740992", 18, &total, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	assert_int_equal(word_count_entry(&c, "bcd 3002399751580318", 20, &total, &e), -1);
	assert_int_equal(total, 40);
	assert_int_equal(word_count_entry(&c, "bcd 3002399751580318", 20, &(int64_t){ 0 }, &e), 0);
	buf_release(&out);
	word_count_release(&c);
}

/* The cases of test/test_tokenizer_ter.py of sacreBLEU. */
static void
tercom_tokenizes_as_published(void **state)
{
	static const struct { struct tercom how; const char *in, *out; } cases[] = {
		{ { 0 }, "a b c d", "a b c d" },
		{ { 0 }, "", "" },
		{ { 0 }, "a b c d.", "a b c d." },
		{ { 0 }, "A B C D.", "a b c d." },
		{ { .no_punct = true }, "a b c d.", "a b c d" },
		{ { .no_punct = true }, "A ; B ) C : D.", "a b c d" },
		{ { .normalized = true }, "a b (c) d.", "a b ( c ) d ." },
		{ { .normalized = true }, "Jim's car.", "jim 's car ." },
		{ { .normalized = true }, "4.2", "4.2" },
		{ { .normalized = true, .asian_support = true },
		  "\u7f8e\u4f17\u9662\u516c\u5e03\u5bf9\u7279",
		  "\u7f8e \u4f17 \u9662 \u516c \u5e03 \u5bf9 \u7279" },
		{ { .normalized = true, .asian_support = true },
		  "\u308a\u306e\u62f3\u9283\u3092\u6301",
		  "\u308a\u306e \u62f3 \u9283 \u3092 \u6301" },
		/* a word that a line end divides; only streams have line ends */
		{ { .normalized = true }, "Jim's\ncar, trans\n-lated", "jim 's car , translated" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct buf out = { 0 };

		buf_add_str(&out, "");
		tokenize_tercom(&cases[i].how, cases[i].in, strlen(cases[i].in), &out);
		assert_string_equal(out.n ? out.data : "", cases[i].out);
		buf_release(&out);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_code_point_is_encoded_and_decoded),
		cmocka_unit_test(only_shortest_forms_of_scalars_are_valid),
		cmocka_unit_test(the_first_invalid_byte_is_found),
		cmocka_unit_test(characters_have_the_classes_of_the_standard),
		cmocka_unit_test(a_vocabulary_is_sorted_by_count_and_bytes),
		cmocka_unit_test(text_never_becomes_a_special_token),
		cmocka_unit_test(a_vocabulary_is_read_as_written),
		cmocka_unit_test(malformed_vocabularies_name_the_line),
		cmocka_unit_test(words_are_counted_in_order_of_occurrence),
		cmocka_unit_test(tercom_tokenizes_as_published)
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
