/* bleu-sentence: tokenizes a sentence and counts its n-grams; see bleu-sentence.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/strmap.h"
#include "base/utf8.h"
#include "scores/bleu-sentence.h"
#include "scores/bleu.h"
#include "scores/ngram.h"
#include "text/lowercase.h"
#include "text/unicode.h"

/* A map grown by a very long line is freed: clearing it would slow down all other lines. */
#define MAX_SLOTS 65536

struct sentence {
	const struct bleu *bleu;
	struct strmap words;		/* the words of the references */
	struct ngrams grams;
	struct buf lower, tokens;
	int32_t *word;			/* the words of the current text */
	size_t room;
	int64_t *ref_len;		/* [n_refs] */
	size_t n_refs, ref_room;
};

void *
bleu_sentence_open(const void *bleu)
{
	struct sentence *st = xcalloc(1, sizeof(*st));

	st->bleu = bleu;
	strmap_init(&st->words);
	ngrams_init(&st->grams);
	return st;
}

void
bleu_sentence_close(void *scratch)
{
	struct sentence *st = scratch;

	if (!st)
		return;
	strmap_release(&st->words);
	ngrams_release(&st->grams);
	buf_release(&st->lower);
	buf_release(&st->tokens);
	free(st->word);
	free(st->ref_len);
	free(st);
}

/* Lowercases if asked for, and tokenizes into st->tokens. */
static void
prepare(struct sentence *st, const char *s, size_t n)
{
	const struct bleu *b = st->bleu;

	buf_clear(&st->tokens);
	if (b->lower && b->variant == BLEU_SACREBLEU) {
		buf_clear(&st->lower);
		lowercase(s, n, &st->lower);
		s = st->lower.data;
		n = st->lower.n;
	}
	b->tokenize(s, n, &st->tokens);
	if (b->lower && b->variant != BLEU_SACREBLEU && st->tokens.n)
		lowercase_ascii(st->tokens.data, st->tokens.n);
}

/*
 * The length of the whitespace character at s, or 0.  Perl, which reads bytes, knows only that of
 * ASCII; Python knows that of Unicode.
 */
static size_t
space_length(const char *s, size_t n, bool unicode)
{
	const unsigned char c = (unsigned char)*s;
	size_t len;

	if (c > ' ' && c < 0x80)
		return 0;
	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return 1;
	if (!unicode)
		return 0;
	if (c >= 0x80 && c != 0xc2 && (c < 0xe1 || c > 0xe3))	/* not whitespace */
		return 0;
	return unicode_python_space(utf8_next(s, n, &len)) ? len : 0;
}

static int32_t
word_id(struct strmap *words, const char *s, size_t n, bool reference)
{
	return reference ? strmap_add(words, s, n) : strmap_find(words, s, n);
}

/* Converts st->tokens to ids in st->word: -1 for words of a hypothesis that no reference has. */
static size_t
find_words(struct sentence *st, bool reference)
{
	const char *s = st->tokens.data;
	const bool unicode = st->bleu->variant != BLEU_MULTI_BLEU;
	size_t n = st->tokens.n, n_words = 0, i = 0;

	st->word = mem_grow(st->word, &st->room, n / 2 + 1, sizeof(*st->word));
	while (i < n) {
		size_t start = i, blank = 0;

		while (i < n && !(blank = space_length(s + i, n - i, unicode)))
			i++;
		if (i > start)
			st->word[n_words++] = word_id(&st->words, s + start, i - start,
							    reference);
		i += blank;
	}
	return n_words;
}

static void
clear(struct sentence *st)
{
	if (st->words.slots > MAX_SLOTS) {
		strmap_release(&st->words);
		strmap_init(&st->words);
	}
	strmap_clear(&st->words);
	ngrams_clear(&st->grams);
	st->n_refs = 0;
}

void
bleu_sentence_reference(void *scratch, size_t k, const char *s, size_t n)
{
	struct sentence *st = scratch;
	size_t n_words;

	if (k == 0)
		clear(st);
	prepare(st, s, n);
	n_words = find_words(st, true);
	ngrams_add(&st->grams, st->word, n_words, BLEU_ORDER);
	st->ref_len = mem_grow(st->ref_len, &st->ref_room, st->n_refs + 1, sizeof(*st->ref_len));
	st->ref_len[st->n_refs++] = (int64_t)n_words;
}

/* The reference length closest to n; of two equally close ones the shorter. */
static int64_t
closest(const struct sentence *st, int64_t n)
{
	int64_t best = st->n_refs ? st->ref_len[0] : 0;

	for (size_t k = 1; k < st->n_refs; k++) {
		const int64_t away = llabs(st->ref_len[k] - n), best_away = llabs(best - n);

		if (away < best_away || (away == best_away && st->ref_len[k] < best))
			best = st->ref_len[k];
	}
	return best;
}

void
bleu_sentence_hypothesis(void *scratch, const char *s, size_t n, int32_t *stats)
{
	struct sentence *st = scratch;
	size_t n_words;

	prepare(st, s, n);
	n_words = find_words(st, false);
	stats[BLEU_HYP_LEN] = (int32_t)n_words;
	stats[BLEU_REF_LEN] = (int32_t)closest(st, (int64_t)n_words);
	ngrams_match(&st->grams, st->word, n_words, BLEU_ORDER, stats + BLEU_MATCH);
	for (int k = 0; k < BLEU_ORDER; k++)
		stats[BLEU_TOTAL + k] = (int32_t)ngrams_total(n_words, k + 1);
}
