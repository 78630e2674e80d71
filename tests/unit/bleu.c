/*
 * bleu: n-gram counts compared with plain counting, BLEU of known sums, the fast tokenizer compared
 * with the four rules applied one after another, lowercasing.  tests/cli/bleu.t compares with the
 * reference programs.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "scores/bleu-score.h"
#include "scores/chrf.h"
#include "scores/ngram.h"
#include "text/lowercase.h"

static void
near(double a, double b)
{
	if (!(fabs(a - b) <= 5e-7))
		fail_msg("%.9g is not %.9g", a, b);
}

/* The number of occurrences in text of the k-gram at a. */
static int
occurrences(const int32_t *a, const int32_t *text, size_t n, size_t k)
{
	int c = 0;

	for (size_t i = 0; i + k <= n; i++)
		c += !memcmp(a, text + i, k * sizeof(*a));
	return c;
}

/*
 * Sums, over the different k-grams of hyp, the minimum of their counts in hyp and in the reference
 * that contains them most often.
 */
static int
slow_match(const int32_t *hyp, size_t n, int32_t ref[][40], const size_t *ref_n, size_t refs,
	   size_t k)
{
	int match = 0;

	for (size_t i = 0; i + k <= n; i++) {
		int most = 0, here;

		if (occurrences(hyp + i, hyp, i + k - 1, k))
			continue;	/* seen before */
		for (size_t r = 0; r < refs; r++) {
			const int c = occurrences(hyp + i, ref[r], ref_n[r], k);

			most = c > most ? c : most;
		}
		here = occurrences(hyp + i, hyp, n, k);
		match += most < here ? most : here;
	}
	return match;
}

static void
matches_are_clipped_counts(void **state)
{
	struct ngrams g;
	struct rng rng;

	(void)state;
	ngrams_init(&g);
	rng_init(&rng, 1, rng_purpose("test of n-grams"), 0);
	for (int round = 0; round < 500; round++) {
		int32_t hyp[40], ref[3][40], match[NGRAM_MAX_ORDER];
		size_t n = rng_below(&rng, 41), ref_n[3];
		const uint32_t types = 1 + rng_below(&rng, 6);

		ngrams_clear(&g);
		for (size_t i = 0; i < n; i++)
			hyp[i] = (int32_t)rng_below(&rng, types);
		for (size_t r = 0; r < 3; r++) {
			ref_n[r] = rng_below(&rng, 41);
			for (size_t i = 0; i < ref_n[r]; i++)
				ref[r][i] = (int32_t)rng_below(&rng, types);
			ngrams_add(&g, ref[r], ref_n[r], NGRAM_MAX_ORDER);
		}
		ngrams_match(&g, hyp, n, NGRAM_MAX_ORDER, match);
		for (int k = 1; k <= NGRAM_MAX_ORDER; k++)
			assert_int_equal(match[k - 1],
					 slow_match(hyp, n, ref, ref_n, 3, (size_t)k));
	}
	ngrams_release(&g);
}

static void
tables_grow_and_are_emptied(void **state)
{
	static int32_t text[20000];
	int32_t match[4];
	struct ngrams g;

	(void)state;
	for (int i = 0; i < 20000; i++)
		text[i] = i;
	ngrams_init(&g);
	ngrams_add(&g, text, 20000, 4);
	ngrams_match(&g, text, 20000, 4, match);
	for (int k = 0; k < 4; k++)
		assert_int_equal(match[k], 20000 - k);
	ngrams_clear(&g);
	ngrams_match(&g, text, 20000, 4, match);
	for (int k = 0; k < 4; k++)
		assert_int_equal(match[k], 0);
	text[1] = -1;		/* unknown: no n-gram that contains it matches */
	ngrams_add(&g, (const int32_t[]) { 0, 2, 3 }, 3, 4);
	ngrams_match(&g, text, 4, 4, match);
	assert_int_equal(match[0], 3);
	assert_int_equal(match[1], 1);
	assert_int_equal(match[2], 0);
	ngrams_release(&g);
}

static void
totals_of_short_texts(void **state)
{
	(void)state;
	assert_int_equal(ngrams_total(0, 1), 0);
	assert_int_equal(ngrams_total(3, 4), 0);
	assert_int_equal(ngrams_total(4, 4), 1);
	assert_int_equal(ngrams_total(10, 1), 10);
}

/* The worked example: matches 28 20 13 9 of 32 29 26 23, lengths 32 and 34. */
static const int64_t worked[BLEU_WIDTH] = { 32, 34, 28, 20, 13, 9, 32, 29, 26, 23 };

static void
worked_example(void **state)
{
	struct bleu b = { .smooth_value = -1 };
	struct bleu_score s;

	(void)state;
	bleu_compute(&b, worked, &s);
	near(s.score, 55.066538);
	near(s.bp, 0.939413);
	near(s.precision[3], 900 / 23.0);
	b.smooth = BLEU_ADD_K;
	bleu_compute(&b, worked, &s);
	near(s.score, 56.659322);
	b = (struct bleu) { .variant = BLEU_MULTI_BLEU };
	bleu_compute(&b, worked, &s);
	near(s.score, 55.066538);
	b = (struct bleu) { .variant = BLEU_MTEVAL13A };
	bleu_compute(&b, worked, &s);
	near(s.score, 55.066538);
}

/* Five words, four of them correct, one wrong bigram on either side, no 4-gram. */
static void
orders_without_a_match(void **state)
{
	const int64_t sums[BLEU_WIDTH] = { 5, 5, 4, 2, 1, 0, 5, 4, 3, 2 };
	const double want[] = { 42.728701, 28.574404, 53.182959, 0 };
	struct bleu_score s;

	(void)state;
	for (int k = 0; k < 4; k++) {
		const struct bleu b = { .smooth = (enum bleu_smooth)k, .smooth_value = -1 };

		bleu_compute(&b, sums, &s);
		near(s.score, want[k]);
	}
	bleu_compute(&(struct bleu) { .smooth = BLEU_FLOOR, .smooth_value = 0.5 }, sums, &s);
	near(s.score, 100 * pow(4 / 5.0 * 2 / 4.0 * 1 / 3.0 * 0.5 / 2.0, 0.25));
	bleu_compute(&(struct bleu) { .variant = BLEU_MULTI_BLEU }, sums, &s);
	near(s.score, 0);
}

/* Sums and scores from the documentation and the tests of sacreBLEU. */
static void
published_fixtures(void **state)
{
	static const struct fixture {
		int64_t sums[BLEU_WIDTH];
		bool effective;
		double score;
	} fixture[] = {
		{ { 17, 18, 14, 7, 5, 3, 17, 14, 11, 8 }, false, 48.530827 },
		{ { 11, 11, 9, 7, 5, 3, 10, 8, 6, 4 }, false, 83.75922397 },
		{ { 1, 2, 1, 0, 0, 0, 1, 0, 0, 0 }, true, 36.78794411714425 },
		{ { 2, 2, 2, 1, 0, 0, 2, 1, 0, 0 }, true, 100 },
		{ { 0, 1, 0, 0, 0, 0, 4, 4, 2, 1 }, false, 0 },
		{ { 14, 10, 0, 0, 0, 0, 10, 11, 12, 0 }, false, 0 },
		{ { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }, false, 0 },
	};
	struct bleu_score s;

	(void)state;
	for (size_t i = 0; i < sizeof(fixture) / sizeof(fixture[0]); i++) {
		const struct fixture *f = &fixture[i];
		const struct bleu b = { .smooth_value = -1, .effective_order = f->effective };

		bleu_compute(&b, f->sums, &s);
		near(s.score, f->score);
	}
}

static void
scored_sentence(const struct metric *m, const char *const *ref, const char *hyp, int64_t *sums)
{
	void *scratch = m->open(m->how);
	int32_t stats[METRIC_MAX_WIDTH];

	for (size_t k = 0; ref[k]; k++)
		m->reference(scratch, k, ref[k], strlen(ref[k]));
	m->hypothesis(scratch, hyp, strlen(hyp), stats);
	for (int k = 0; k < m->width; k++)
		sums[k] = stats[k];
	m->close(scratch);
}

static void
closest_reference_length(void **state)
{
	const struct bleu b = {
		.tokenizer = "none", .tokenize = tokenize_none, .smooth_value = -1
	};
	const struct metric m = bleu_metric(&b);
	int64_t sums[METRIC_MAX_WIDTH];

	(void)state;
	scored_sentence(&m, (const char *[]) { "1 2 3 4 5 6 7 8 9 10 11", "1 2 3 4 5 6 7 8",
					       "1 2 3 4 5 6", NULL }, "1 2 3 4 5 6 7", sums);
	assert_int_equal(sums[BLEU_HYP_LEN], 7);
	assert_int_equal(sums[BLEU_REF_LEN], 6);	/* the shorter one of 8 and 6 */
	assert_int_equal(sums[BLEU_MATCH], 7);	/* 7 is in one reference, 1 to 6 in another */
	assert_int_equal(sums[BLEU_MATCH + 3], 4);
	scored_sentence(&m, (const char *[]) { "", "a b c", NULL }, "", sums);
	assert_int_equal(sums[BLEU_REF_LEN], 0);
}

/* "abc" against "abd": characters 2 of 3, 1 of 2, 0 of 1; P = R = (2/3 + 1/2 + 0) / 3. */
static void
chrf_by_hand(void **state)
{
	const struct chrf c = { .char_order = 6, .beta = 2 };
	const struct chrf plus = { .char_order = 6, .word_order = 2, .beta = 2 };
	const struct metric m = chrf_metric(&c), p = chrf_metric(&plus);
	int64_t sums[METRIC_MAX_WIDTH];

	(void)state;
	scored_sentence(&m, (const char *[]) { "abd", NULL }, "abc", sums);
	near(chrf_compute(sums, &c), 100 * (2 / 3.0 + 1 / 2.0) / 3);
	scored_sentence(&m, (const char *[]) { "a b d", NULL }, "ab c", sums);
	near(chrf_compute(sums, &c), 100 * (2 / 3.0 + 1 / 2.0) / 3);
	/* only the last mark of "(hi)" is separated: "(hi" ")" compared with "(hi" "!" */
	scored_sentence(&p, (const char *[]) { "(hi!", NULL }, "(hi)", sums);
	assert_int_equal(sums[18], 2);
	assert_int_equal(sums[19], 2);
	assert_int_equal(sums[20], 1);
	assert_int_equal(sums[23], 0);
	scored_sentence(&m, (const char *[]) { "", NULL }, "", sums);
	near(chrf_compute(sums, &c), 0);
}

/* The rules of mteval-v13a, applied to the whole line one after another. */
static bool
digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
point(char c)
{
	return c == '.' || c == ',';
}

static bool
symbol(char c)
{
	return c && strchr("{|}~[\\]^_` !\"#$%&()*+:;<=>?@/", c);
}

static void
slow_rule(int rule, const char *s, char *out)
{
	for (; *s; s++) {
		if (rule == 0 && symbol(*s)) {
			*out++ = ' ';
			*out++ = *s;
			*out++ = ' ';
		} else if ((rule == 1 && s[1] && !digit(*s) && point(s[1])) ||
			   (rule == 3 && digit(*s) && s[1] == '-')) {
			*out++ = *s++;
			*out++ = ' ';
			*out++ = *s;
			*out++ = ' ';
		} else if (rule == 2 && point(*s) && s[1] && !digit(s[1])) {
			*out++ = ' ';
			*out++ = *s++;
			*out++ = ' ';
			*out++ = *s;
		} else {
			*out++ = *s;
		}
	}
	*out = '\0';
}

static void
one_pass_is_four_rules(void **state)
{
	static const char letters[] = "..,,,--0195ab \"(/'";
	struct buf fast = { 0 }, slow = { 0 };
	struct rng rng;

	(void)state;
	rng_init(&rng, 1, rng_purpose("test of tokenizers"), 0);
	for (int round = 0; round < 20000; round++) {
		char line[20] = { 0 }, a[400], b[400];
		const size_t n = rng_below(&rng, 14);

		for (size_t i = 0; i < n; i++)
			line[i] = letters[rng_below(&rng, sizeof(letters) - 1)];
		buf_clear(&fast);
		buf_clear(&slow);
		/* 13a adds spaces around the line, zh removes those at its ends */
		if (round % 2) {
			tokenize_13a(line, n, &fast);
			snprintf(a, sizeof(a), " %s ", line);
		} else {
			tokenize_zh(line, n, &fast);
			tokenize_rstrip(line, n, &slow);
			snprintf(a, sizeof(a), "%s",
				 slow.n ? slow.data + strspn(slow.data, " ") : "");
			buf_clear(&slow);
		}
		for (int rule = 0; rule < 4; rule++)
			slow_rule(rule, rule % 2 ? b : a, rule % 2 ? a : b);
		tokenize_squeeze(a, strlen(a), &slow);
		assert_string_equal(fast.n ? fast.data : "", slow.n ? slow.data : "");
	}
	buf_release(&fast);
	buf_release(&slow);
}

static void
lower_is(const char *s, const char *want)
{
	struct buf out = { 0 };

	lowercase(s, strlen(s), &out);
	assert_string_equal(out.n ? out.data : "", want);
	buf_release(&out);
}

static void
lower_case(void **state)
{
	(void)state;
	lower_is("", "");
	lower_is("ABC xyz [\\]^_` 09", "abc xyz [\\]^_` 09");
	lower_is("ÀÉÎÕÜ ŸŽĐ ÑŁ", "àéîõü ÿžđ ñł");
	lower_is("ПРИВЕТ Ёж", "привет ёж");
	lower_is("İI", "i\xcc\x87i");
	lower_is("STRASSE ẞ ß", "strasse ß ß");
	lower_is("ΟΔΥΣΣΕΥΣ ΣΑΣ Σ ΑΣ.Β ΑΣ.", "οδυσσευς σας σ ασ.β ας.");
	lower_is("Ǆ ǅ Ⅻ Ⓐ Ａ 𐐀", "ǆ ǆ ⅻ ⓐ ａ 𐐨");
	lower_is("日本語 ひらがな", "日本語 ひらがな");
	lower_is("Ω K Å", "ω k å");	/* ohm, kelvin and angstrom signs */
}

static void
signatures(void **state)
{
	const struct bleu b = {
		.tokenizer = "intl", .lower = true, .smooth = BLEU_FLOOR, .smooth_value = -1
	};
	const struct metric m = bleu_metric(&b);
	struct signature s = { .n_refs = 2, .resamples = 1000, .seed = 12345, .version = "2.6.0" };
	struct buf out = { 0 };

	(void)state;
	metric_signature(&m, &s, &out);
	assert_string_equal(out.data, "nrefs:2|bs:1000|seed:12345|case:lc|eff:no|tok:intl|"
			    "smooth:floor[0.10]|version:2.6.0");
	s = (struct signature) {
		.n_refs = 1, .trials = 10000, .seed = 1, .brief = true, .version = "2.6.0"
	};
	buf_clear(&out);
	metric_signature(&m, &s, &out);
	assert_string_equal(out.data, "#:1|ar:10000|rs:1|c:lc|e:no|tok:intl|s:floor[0.10]|v:2.6.0");
	buf_release(&out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matches_are_clipped_counts),
		cmocka_unit_test(tables_grow_and_are_emptied),
		cmocka_unit_test(totals_of_short_texts),
		cmocka_unit_test(worked_example),
		cmocka_unit_test(orders_without_a_match),
		cmocka_unit_test(published_fixtures),
		cmocka_unit_test(closest_reference_length),
		cmocka_unit_test(chrf_by_hand),
		cmocka_unit_test(one_pass_is_four_rules),
		cmocka_unit_test(lower_case),
		cmocka_unit_test(signatures),
	};

	return cmocka_run_group_tests_name("bleu", tests, NULL, NULL);
}
