/* bleu-sentence: tokenizes a sentence and counts its n-grams; see bleu-sentence.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "scores/bleu-sentence.h"
#include "scores/bleu-corpus.h"
#include "scores/ngram.h"
#include "scores/word-ids.h"
#include "text/lowercase.h"
#include "text/tokenizers.h"

struct sentence {
	const struct bleu *bleu;
	struct word_ids words;
	struct ngrams grams;
	struct buf lower, tokens;
	int64_t *ref_len;		/* [n_refs] */
	size_t n_refs, ref_room;
};

void *
bleu_sentence_open(const void *bleu)
{
	struct sentence *st = xcalloc(1, sizeof(*st));

	st->bleu = bleu;
	word_ids_init(&st->words);
	ngrams_init(&st->grams);
	return st;
}

void
bleu_sentence_close(void *scratch)
{
	struct sentence *st = scratch;

	if (!st)
		return;
	word_ids_release(&st->words);
	ngrams_release(&st->grams);
	buf_release(&st->lower);
	buf_release(&st->tokens);
	free(st->ref_len);
	free(st);
}

/* Lowercases if asked for, and tokenizes into st->tokens. */
static void
bleu_sentence_prepare(struct sentence *st, const char *s, size_t n)
{
	const struct bleu *b = st->bleu;

	buf_clear(&st->tokens);
	if (b->lower && b->variant == BLEU_SACREBLEU) {
		buf_clear(&st->lower);
		lowercase(s, n, &st->lower);
		s = st->lower.data;
		n = st->lower.n;
	}
	/* multi-bleu.perl knows ASCII only: U+00A0 at the end of a line is a word. */
	if (b->variant == BLEU_MULTI_BLEU && b->tokenize == tokenize_none)
		buf_add(&st->tokens, s, n);
	else
		b->tokenize(s, n, &st->tokens);
	if (b->lower && b->variant != BLEU_SACREBLEU && st->tokens.n)
		lowercase_ascii(st->tokens.data, st->tokens.n);
}

static void
bleu_sentence_clear(struct sentence *st)
{
	word_ids_clear(&st->words);
	ngrams_clear(&st->grams);
	st->n_refs = 0;
}

/* The number of words of st->tokens; their ids are then in st->words. */
static size_t
find_words(struct sentence *st, bool reference)
{
	word_ids_read(&st->words, st->tokens.data, st->tokens.n, reference,
		      st->bleu->variant != BLEU_MULTI_BLEU);
	return st->words.n;
}

void
bleu_sentence_reference(void *scratch, size_t k, const char *s, size_t n)
{
	struct sentence *st = scratch;
	size_t n_words;

	if (k == 0)
		bleu_sentence_clear(st);
	bleu_sentence_prepare(st, s, n);
	n_words = find_words(st, true);
	ngrams_add(&st->grams, st->words.id, n_words, BLEU_ORDER);
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

	bleu_sentence_prepare(st, s, n);
	n_words = find_words(st, false);
	stats[BLEU_HYP_LEN] = (int32_t)n_words;
	stats[BLEU_REF_LEN] = (int32_t)closest(st, (int64_t)n_words);
	ngrams_match(&st->grams, st->words.id, n_words, BLEU_ORDER, stats + BLEU_MATCH);
	for (int k = 0; k < BLEU_ORDER; k++)
		stats[BLEU_TOTAL + k] = (int32_t)ngrams_total(n_words, k + 1);
}
