/* bleu-score: counts n-grams of sentences, and computes scores from them; see bleu-score.h. */
#include "scores/bleu-score.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "scores/ngram.h"
#include "text/lowercase.h"
#include "text/tokenizers.h"

/* --- sentences --- */

struct sentence {
	const struct bleu *bleu;
	struct word_ids words;
	struct ngrams grams;
	struct buf lower, tokens;
	int64_t *ref_len;		/* [n_refs] */
	size_t n_refs, ref_room;
};

static void *
bleu_sentence_open(const void *bleu)
{
	struct sentence *st = xcalloc(1, sizeof(*st));

	st->bleu = bleu;
	ngrams_init(&st->grams);
	return st;
}

static void
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

static void
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

static void
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

/* --- corpora --- */

#define LOG_OF_ZERO (-9999999999.0)	/* as in all three programs */

const char *const bleu_variants[] = { "sacrebleu", "multi-bleu", "mteval13a", NULL };
const char *const bleu_smooths[] = { "exp", "floor", "add-k", "none", NULL };

static double
safe_log(double x)
{
	return x > 0 ? log(x) : LOG_OF_ZERO;
}

static double
smooth_value(const struct bleu *b)
{
	if (b->smooth_value >= 0)
		return b->smooth_value;
	return b->smooth == BLEU_FLOOR ? 0.1 : 1;
}

/* sacreBLEU's compute_bleu(): stops at the first order for which the hypotheses are too short. */
static void
sacrebleu(const struct bleu *b, const int64_t *sums, struct bleu_score *s)
{
	double sum = 0, halving = 1;
	int order = BLEU_ORDER, any = 0;

	for (int k = 0; k < BLEU_ORDER; k++)
		any |= sums[BLEU_MATCH + k] != 0;
	if (!any)
		return;
	for (int k = 0; k < BLEU_ORDER; k++) {
		const double add = b->smooth == BLEU_ADD_K && k > 0 ? smooth_value(b) : 0;
		const double match = (double)sums[BLEU_MATCH + k] + add;
		const double total = (double)sums[BLEU_TOTAL + k] + add;

		if (total <= 0)
			break;
		if (b->effective_order)
			order = k + 1;
		if (match > 0)
			s->precision[k] = 100 * match / total;
		else if (b->smooth == BLEU_EXP)
			s->precision[k] = 100 / ((halving *= 2) * total);
		else if (b->smooth == BLEU_FLOOR)
			s->precision[k] = 100 * smooth_value(b) / total;
	}
	for (int k = 0; k < order; k++)
		sum += safe_log(s->precision[k]);
	s->score = s->bp * exp(sum / order);
}

/* No smoothing: the score is 0 if an order has no match. */
static void
multi_bleu(const int64_t *sums, struct bleu_score *s)
{
	double sum = 0;

	for (int k = 0; k < BLEU_ORDER; k++) {
		const double match = (double)sums[BLEU_MATCH + k];
		const double total = (double)sums[BLEU_TOTAL + k];
		const double p = total > 0 ? match / total : 0;

		s->precision[k] = 100 * p;
		sum += safe_log(p);
	}
	s->score = 100 * (s->bp * exp(sum / BLEU_ORDER));
}

/*
 * The precision of an order for which the hypotheses are too short is 1.  The k-th order without a
 * match has 1/2^k of a match.
 */
static void
mteval(const int64_t *sums, struct bleu_score *s)
{
	double sum = 0, halving = 1;

	for (int k = 0; k < BLEU_ORDER; k++) {
		const double match = (double)sums[BLEU_MATCH + k];
		const double total = (double)sums[BLEU_TOTAL + k];
		double p = 1;

		if (total > 0)
			p = match > 0 ? match / total : 1 / ((halving *= 2) * total);
		s->precision[k] = 100 * p;
		sum += log(p);
	}
	s->score = 100 * (exp(sum / BLEU_ORDER) * s->bp);
}

void
bleu_compute(const struct bleu *b, const int64_t sums[BLEU_WIDTH], struct bleu_score *s)
{
	const double hyp = (double)sums[BLEU_HYP_LEN], ref = (double)sums[BLEU_REF_LEN];

	*s = (struct bleu_score) {
		.bp = 1, .hyp_len = sums[BLEU_HYP_LEN], .ref_len = sums[BLEU_REF_LEN]
	};
	s->ratio = ref > 0 ? hyp / ref : 0;
	if (hyp < ref)
		s->bp = hyp > 0 ? exp(1 - ref / hyp) : 0;
	if (b->variant == BLEU_MULTI_BLEU)
		multi_bleu(sums, s);
	else if (b->variant == BLEU_MTEVAL13A)
		mteval(sums, s);
	else
		sacrebleu(b, sums, s);
}

static double
bleu_score(const int64_t *sums, const void *settings)
{
	struct bleu_score s;

	bleu_compute(settings, sums, &s);
	return s.score;
}

static void
bleu_name(const void *settings, struct buf *out)
{
	(void)settings;
	buf_add_str(out, "BLEU");
}

static void
bleu_details(const void *settings, const int64_t *sums, struct buf *out)
{
	const struct bleu *b = settings;
	struct bleu_score s;

	bleu_compute(b, sums, &s);
	for (int k = 0; k < BLEU_ORDER; k++)
		buf_printf(out, "%s%.1f", k ? "/" : "", s.precision[k]);
	if (b->variant == BLEU_MULTI_BLEU)
		buf_printf(out, " (BP=%.3f, ratio=%.3f, hyp_len=%" PRId64 ", ref_len=%" PRId64 ")",
			   s.bp, s.ratio, s.hyp_len, s.ref_len);
	else
		buf_printf(out, " (BP = %.3f ratio = %.3f hyp_len = %" PRId64
			   " ref_len = %" PRId64 ")", s.bp, s.ratio, s.hyp_len, s.ref_len);
}

static void
bleu_signature(const void *settings, bool brief, struct buf *out)
{
	const struct bleu *b = settings;

	buf_printf(out, "%s:%s|", brief ? "c" : "case", b->lower ? "lc" : "mixed");
	if (b->variant == BLEU_SACREBLEU)
		buf_printf(out, "%s:%s|", brief ? "e" : "eff", b->effective_order ? "yes" : "no");
	buf_printf(out, "tok:%s|", b->tokenizer);
	if (b->variant != BLEU_SACREBLEU) {
		buf_printf(out, "variant:%s", bleu_variants[b->variant]);
		return;
	}
	buf_printf(out, "%s:%s", brief ? "s" : "smooth", bleu_smooths[b->smooth]);
	if (b->smooth == BLEU_FLOOR || b->smooth == BLEU_ADD_K)
		buf_printf(out, "[%.2f]", smooth_value(b));
}

struct metric
bleu_metric(const struct bleu *b)
{
	static const int decimals[] = { 1, 2, 4 };

	return (struct metric) {
		.how = b, .width = BLEU_WIDTH, .decimals = decimals[b->variant], .is_bleu = true,
		.open = bleu_sentence_open, .close = bleu_sentence_close,
		.reference = bleu_sentence_reference, .hypothesis = bleu_sentence_hypothesis,
		.score = bleu_score, .name = bleu_name, .details = bleu_details,
		.signature = bleu_signature
	};
}
