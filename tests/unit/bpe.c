/*
 * bpe: learning and applying, compared with a slow implementation of the definition, which counts
 * all pairs again for each merge and tries all merges in order for each word.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "bpe/bpe-train.h"
#include "bpe/bpe.h"
#include "bpe/subwords.h"

#define WORDS 40
#define LONGEST 24

/* A word of the slow implementation: each subword is a string. */
struct slow { char symbol[LONGEST][2 * LONGEST]; int n, count; };

static void
random_word(struct rng *r, char *out, uint32_t letters, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = (char)('a' + rng_below(r, letters));
	out[n] = 0;
}

static void
slow_split(struct slow *w, const char *text, int count)
{
	w->n = 0;
	w->count = count;
	for (; *text; text++)
		snprintf(w->symbol[w->n++], sizeof(w->symbol[0]), "%c%s", *text,
			 text[1] ? "" : "</w>");
}

/* Applies a merge; returns whether it occurred. */
static int
slow_merge(struct slow *w, const char *left, const char *right)
{
	int m = 0, merged = 0;

	for (int i = 0; i < w->n; i++, m++) {
		const int here = i + 1 < w->n && !strcmp(w->symbol[i], left) &&
			!strcmp(w->symbol[i + 1], right);
		char joined[4 * LONGEST];

		snprintf(joined, sizeof(joined), "%s%s", w->symbol[i],
			 here ? w->symbol[i + 1] : "");
		snprintf(w->symbol[m], sizeof(w->symbol[0]), "%.*s", 2 * LONGEST - 1, joined);
		i += here;
		merged |= here;
	}
	w->n = m;
	return merged;
}

static int
slow_count(const struct slow *w, int n, const char *left, const char *right)
{
	int count = 0;

	for (int j = 0; j < n; j++)
		for (int i = 0; i + 1 < w[j].n; i++)
			if (!strcmp(w[j].symbol[i], left) && !strcmp(w[j].symbol[i + 1], right))
				count += w[j].count;
	return count;
}

static int
slow_best(const struct slow *w, int n, char *left, char *right)
{
	int best = 0;

	for (int j = 0; j < n; j++)
		for (int i = 0; i + 1 < w[j].n; i++) {
			const char *a = w[j].symbol[i], *b = w[j].symbol[i + 1];
			const int count = slow_count(w, n, a, b), order = strcmp(a, left);

			if (count < best || (count == best &&
					     (order < 0 || (!order && strcmp(b, right) <= 0))))
				continue;
			best = count;
			strcpy(left, a);
			strcpy(right, b);
		}
	return best;
}

/* Words without double letters, for which the counts of pairs are unambiguous. */
static void
learning_merges_the_most_frequent_pair(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < 30; round++) {
		static struct slow slow[WORDS];
		struct bpe_train t = { .merges = 60, .min_frequency = 2 };
		struct word_count words;
		struct buf codes = { 0 }, want = { 0 };
		struct rng r;

		rng_init(&r, 1, rng_purpose("test"), round);
		words = (struct word_count){ 0 };
		for (int j = 0; j < WORDS; j++) {
			const int count = 1 + (int)rng_below(&r, 9);
			char text[LONGEST + 1];
			size_t n = 1 + rng_below(&r, 7);

			random_word(&r, text, 20, n);
			/* alternately rising and falling: no pair occurs twice */
			for (size_t i = 1; i < n; i++)
				text[i] = (char)(text[i - 1] == 't' ? 'a' + (char)i
								    : text[i - 1] + 1);
			snprintf(text + n, sizeof(text) - n, "%c%d", 'u' + j % 5, j);
			slow_split(&slow[j], text, count);
			word_count_add(&words, text, strlen(text), count);
		}
		bpe_train(&t, &words, &codes);
		buf_add_str(&want, "#version: 0.2\n");
		for (int i = 0; i < 60; i++) {
			char left[2 * LONGEST] = "", right[2 * LONGEST] = "";

			if (slow_best(slow, WORDS, left, right) < 2)
				break;
			buf_printf(&want, "%s %s\n", left, right);
			for (int j = 0; j < WORDS; j++)
				slow_merge(&slow[j], left, right);
		}
		assert_string_equal(codes.data, want.data);
		buf_release(&codes);
		buf_release(&want);
		word_count_release(&words);
	}
}

/* Random merges of two letters, so that pairs overlap and ranks are mixed. */
static struct bpe *
random_codes(struct rng *r, struct buf *text, int n)
{
	struct err e;
	struct bpe *b;

	buf_clear(text);
	buf_add_str(text, "#version: 0.2\n");
	for (int i = 0; i < n; i++) {
		char left[8], right[8];

		random_word(r, left, 2, 1 + rng_below(r, 3));
		random_word(r, right, 2, 1 + rng_below(r, 3));
		buf_printf(text, "%s %s%s\n", left, right, rng_below(r, 3) ? "" : "</w>");
	}
	b = bpe_read(text->data, text->n, BPE_NO_LIMIT, &e);
	assert_non_null(b);
	return b;
}

/* The lines of the BPE codes as strings. */
struct line { char left[16], right[16]; };

static int
read_lines(const struct buf *codes, struct line *line)
{
	const char *s = strchr(codes->data, '\n') + 1;
	int n = 0, used;

	while (sscanf(s, "%15s %15s\n%n", line[n].left, line[n].right, &used) == 2) {
		s += used;
		n++;
	}
	return n;
}

/*
 * The slow implementation for long words, with subwords as offsets: repeatedly applies the first
 * merge that is possible.
 */
static void
slow_apply(const struct line *line, int n_lines, const char *word, struct buf *out)
{
	const size_t n = strlen(word);
	size_t *at = calloc(n + 1, sizeof(*at)), m = n;
	struct buf text = { 0 };

	buf_add(&text, word, n);
	buf_add_str(&text, "</w>");
	for (size_t i = 0; i < n; i++)
		at[i] = i;
	at[n] = n + 4;
	for (int k = 0; k < n_lines;) {
		const size_t a = strlen(line[k].left), b = strlen(line[k].right);
		size_t kept = 0;
		const size_t before = m;

		for (size_t i = 0; i < m; i++) {
			at[kept++] = at[i];
			if (i + 1 < m && at[i + 1] - at[i] == a && at[i + 2] - at[i + 1] == b &&
			    !memcmp(text.data + at[i], line[k].left, a) &&
			    !memcmp(text.data + at[i + 1], line[k].right, b))
				i++;
		}
		at[kept] = at[m];
		m = kept;
		k = m < before ? 0 : k + 1;
	}
	buf_clear(out);
	for (size_t i = 0; i < m; i++) {
		const size_t end = i + 1 < m ? at[i + 1] : n;

		buf_printf(out, "%s%.*s%s", i ? " " : "", (int)(end - at[i]), text.data + at[i],
			   i + 1 < m ? "@@" : "");
	}
	buf_release(&text);
	free(at);
}

/* Words of up to 200 characters and longer ones use different algorithms. */
static void
words_of_any_length_are_segmented_by_definition(void **state)
{
	struct buf codes = { 0 }, got = { 0 }, want = { 0 };
	static char word[700];
	static struct line line[64];

	(void)state;
	for (uint32_t round = 0; round < 120; round++) {
		struct bpe_coder *coder;
		struct bpe *b;
		struct rng r;
		int n;

		rng_init(&r, 2, rng_purpose("test"), round);
		b = random_codes(&r, &codes, 4 + (int)rng_below(&r, 40));
		n = read_lines(&codes, line);
		coder = bpe_coder_new(b, NULL);
		for (int i = 0; i < 20; i++) {
			const size_t length = i < 15 ? 2 + rng_below(&r, 20)
						     : 190 + rng_below(&r, 500);

			random_word(&r, word, 2, length);
			slow_apply(line, n, word, &want);
			buf_clear(&got);
			bpe_coder_word(coder, word, strlen(word), &got);
			assert_string_equal(got.data, want.data);
		}
		bpe_coder_free(coder);
		bpe_free(b);
	}
	buf_release(&codes);
	buf_release(&got);
	buf_release(&want);
}

static size_t
pieces_of(struct bpe_coder *c, const char *word, struct buf *out)
{
	buf_clear(out);
	return bpe_coder_word(c, word, strlen(word), out);
}

static void
subwords_are_counted_and_cached(void **state)
{
	static const char codes[] = "#version: 0.2\na b\nab c</w>\nd e\n";
	struct buf out = { 0 };
	struct err e;
	struct bpe *b = bpe_read(codes, sizeof(codes) - 1, BPE_NO_LIMIT, &e);
	struct bpe_coder *c = bpe_coder_new(b, "~");

	(void)state;
	assert_int_equal(bpe_merges(b), 3);
	for (int twice = 0; twice < 2; twice++) {
		assert_int_equal(pieces_of(c, "abc", &out), 1);
		assert_int_equal(pieces_of(c, "abdeab", &out), 4);
		assert_string_equal(out.data, "ab~ de~ a~ b");
		assert_int_equal(pieces_of(c, "é", &out), 1);
		assert_int_equal(pieces_of(c, "éa", &out), 2);
		assert_string_equal(out.data, "é~ a");
	}
	bpe_coder_free(c);
	bpe_free(b);
	buf_release(&out);
}

static void
a_vocabulary_undoes_the_first_of_two_merges(void **state)
{
	/* Two pairs give abc; the last line of the first pair comes before that of the second. */
	static const char codes[] = "#version: 0.2\na b\nb c\nab c\na bc\nabc d</w>\n";
	static const char vocabulary[] = "d 5\nc@@ 5\nab@@ 5\nabcd 1\n";
	struct buf out = { 0 };
	struct err e;
	struct bpe *b = bpe_read(codes, sizeof(codes) - 1, BPE_NO_LIMIT, &e);
	struct bpe_coder *c = bpe_coder_new(b, NULL);

	(void)state;
	assert_int_equal(pieces_of(c, "abcd", &out), 1);
	assert_int_equal(bpe_coder_vocabulary(c, vocabulary, sizeof(vocabulary) - 1, 2, &e), 0);
	assert_int_equal(pieces_of(c, "abcd", &out), 3);
	assert_string_equal(out.data, "ab@@ c@@ d");
	assert_int_equal(bpe_coder_vocabulary(c, vocabulary, sizeof(vocabulary) - 1, 1, &e), 0);
	assert_int_equal(pieces_of(c, "abcd", &out), 1);
	bpe_coder_free(c);
	bpe_free(b);
	buf_release(&out);
}

/* With one merge and dropout p, the number of merged pairs has a binomial distribution. */
static void
dropout_skips_merges_with_its_probability(void **state)
{
	static const char codes[] = "#version: 0.2\na b</w>\n";
	struct err e;
	struct bpe *b = bpe_read(codes, sizeof(codes) - 1, BPE_NO_LIMIT, &e);
	struct bpe_coder *c = bpe_coder_new(b, NULL);
	struct buf out = { 0 };
	int whole = 0;

	(void)state;
	bpe_coder_dropout(c, 0.3, 11, rng_purpose("test"));
	for (uint32_t i = 0; i < 20000; i++) {
		bpe_coder_at(c, i);
		whole += pieces_of(c, "ab", &out) == 1;
	}
	assert_in_range(whole, 14000 - 260, 14000 + 260);	/* four standard deviations */
	bpe_coder_free(c);
	bpe_free(b);
	buf_release(&out);
}

static void
restoring_removes_separators(void **state)
{
	static const struct { const char *in, *out; } line[] = {
		{ "a@@ b c", "ab c" }, { "a@@", "a" }, { "a@@ ", "a" }, { "a@@b", "a@@b" },
		{ "@@@ x", "@x" },
		{ "", "" }, { "a  b", "a  b" }, { "@@ @@ x", "x" }
	};
	struct buf out = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(line) / sizeof(line[0]); i++) {
		buf_clear(&out);
		buf_add(&out, "", 0);
		bpe_restore(line[i].in, strlen(line[i].in), "@@", &out);
		assert_int_equal(out.n, strlen(line[i].out));
		assert_memory_equal(out.data, line[i].out, out.n);
	}
	buf_release(&out);
}

static void
malformed_codes_name_the_line(void **state)
{
	static const struct { const char *text, *want; } bad[] = {
		{ "#version: 0.2\na b\nab\n", "line 3" }, { "a b\n\nc d\n", "line 2" },
		{ "a b c d\n", "line 1" },
		{ "a b 3\na b\n", "line 2" }, { "a b x\n", "line 1" },
		{ "#version: 1.0\n", "line 1" },
		{ "#version: 0.2\na b\xff\n", "line 2: byte 4 is not UTF-8" },
		{ "a  b\n", "line 1" }
	};
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_null(bpe_read(bad[i].text, strlen(bad[i].text), BPE_NO_LIMIT, &e));
		assert_int_equal(e.status, EXIT_INPUT);
		if (!strstr(e.text, bad[i].want))
			fail_msg("%s", e.text);
	}
}

/* A model may have codes that bpe_open() refuses. */
static void
codes_of_models_may_be_byte_level(void **state)
{
	static const char text[] = "#version: 0.2\n\u0120 t\n\u0120t h\n";
	struct err e;
	struct bpe *b = bpe_read(text, sizeof(text) - 1, BPE_NO_LIMIT, &e);

	(void)state;
	assert_non_null(b);
	assert_int_equal(bpe_check_kind(text, sizeof(text) - 1, &e), -1);
	assert_int_equal(e.status, EXIT_INPUT);
	bpe_free(b);
}

static void
subwords_belong_to_words(void **state)
{
	const struct str bpe[] = { { "lo@@", 4 }, { "wer", 3 }, { "@@", 2 }, { "a", 1 } };
	const struct str marked[] = { { "\xe2\x96\x81lo", 5 }, { "wer", 3 },
				      { "\xe2\x96\x81@@", 5 }, { "a", 1 } };
	const int32_t of_bpe[] = { 0, 0, 1, 1 }, of_marked[] = { 0, 0, 1, 1 };
	int32_t word[4];

	(void)state;
	subwords_words_of(bpe, 4, false, word);
	assert_memory_equal(word, of_bpe, sizeof(word));
	subwords_words_of(marked, 4, true, word);
	assert_memory_equal(word, of_marked, sizeof(word));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(learning_merges_the_most_frequent_pair),
		cmocka_unit_test(words_of_any_length_are_segmented_by_definition),
		cmocka_unit_test(subwords_are_counted_and_cached),
		cmocka_unit_test(a_vocabulary_undoes_the_first_of_two_merges),
		cmocka_unit_test(dropout_skips_merges_with_its_probability),
		cmocka_unit_test(restoring_removes_separators),
		cmocka_unit_test(subwords_belong_to_words),
		cmocka_unit_test(malformed_codes_name_the_line),
		cmocka_unit_test(codes_of_models_may_be_byte_level)
	};

	return cmocka_run_group_tests_name("bpe", tests, NULL, NULL);
}
