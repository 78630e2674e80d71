/*
 * bleu-score: BLEU.  The first functions collect the sufficient statistics of sentences, as members
 * of struct metric (metric.h).
 */
#ifndef BLEU_SCORE_H
#define BLEU_SCORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "scores/metric.h"
#include "text/tokenizers.h"

/* `bleu` is a struct bleu, which must outlive the result. */
void *bleu_sentence_open(const void *bleu);
void bleu_sentence_close(void *scratch);
void bleu_sentence_reference(void *scratch, size_t k, const char *s, size_t n);
/* `stats`: [BLEU_WIDTH] */
void bleu_sentence_hypothesis(void *scratch, const char *s, size_t n, int32_t *stats);

/*
 * BLEU (Papineni et al. 2002) as in sacreBLEU 2.6, multi-bleu.perl and mteval-v13a.pl.
 *
 *	BLEU = BP exp(1/4 sum_k log p_k),   p_k = c_k / t_k,   BP = min(1, exp(1 - r / h))
 *
 * c_k of t_k n-grams of order k match; h and r are the numbers of tokens in the hypotheses and the
 * references.  An n-gram matches at most as often as it occurs in the reference that contains it
 * most often.  r sums, over the sentences, the reference length closest to that of the hypothesis;
 * of two equally close lengths, the shorter one counts.
 */
enum {
	BLEU_ORDER = 4,
	/* Indices of the statistics; match and total have BLEU_ORDER values each. */
	BLEU_HYP_LEN = 0, BLEU_REF_LEN, BLEU_MATCH, BLEU_TOTAL = BLEU_MATCH + BLEU_ORDER,
	BLEU_WIDTH = BLEU_TOTAL + BLEU_ORDER
};

struct bleu {
	enum bleu_variant { BLEU_SACREBLEU, BLEU_MULTI_BLEU, BLEU_MTEVAL13A } variant;
	const char *tokenizer;		/* its name, for the signature */
	tokenizer *tokenize;
	bool lower;			/* lowercase first: for BLEU_SACREBLEU all letters, as in
					 * Python; for the others only A to Z */

	/*
	 * How the precision of orders without a match is smoothed; only for BLEU_SACREBLEU (Chen
	 * and Cherry 2014).
	 */
	enum bleu_smooth { BLEU_EXP, BLEU_FLOOR, BLEU_ADD_K, BLEU_NONE } smooth;
	double smooth_value;		/* the value of BLEU_FLOOR and BLEU_ADD_K; negative: the
					 * default, 0.1 and 1 */
	bool effective_order;		/* ignore orders for which the hypotheses are too short */
};

struct bleu_score {
	double score;			/* 0 to 100 */
	double precision[BLEU_ORDER];	/* 0 to 100, smoothed */
	double bp, ratio;		/* brevity penalty; hyp_len / ref_len */
	int64_t hyp_len, ref_len;
};

/* Sets *s to the score of statistics that were summed over sentences. */
void bleu_compute(const struct bleu *b, const int64_t sums[BLEU_WIDTH], struct bleu_score *s);

/* The names of the variants and smoothing methods in the order of the enums, NULL-terminated. */
extern const char *const bleu_variants[], *const bleu_smooths[];

/* BLEU as a metric.  b must outlive it. */
struct metric bleu_metric(const struct bleu *b);

#endif
