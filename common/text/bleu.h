/*
 * bleu: BLEU (Papineni et al. 2002) as sacreBLEU 2.6, multi-bleu.perl and
 * mteval-v13a.pl compute it.
 *
 * With c_k matching of t_k n-grams of order k, hypotheses of h and references
 * of r tokens: BLEU = BP exp(1/4 sum_k log p_k), p_k = c_k / t_k, BP = 1 if
 * h >= r and exp(1 - r / h) if not.  Matches are clipped by the reference that
 * has the n-gram most often; r sums the reference lengths closest to the
 * hypothesis, the shorter one of two that are equally close.
 */
#ifndef BLEU_H
#define BLEU_H

#include "base/err.h"
#include "text/metric.h"
#include "text/tokenize.h"

enum {
	BLEU_ORDER = 4,
	/* places in the statistics */
	BLEU_HYP_LEN = 0, BLEU_REF_LEN, BLEU_MATCH, BLEU_TOTAL = BLEU_MATCH + BLEU_ORDER,
	BLEU_WIDTH = BLEU_TOTAL + BLEU_ORDER
};

struct bleu {
	enum bleu_variant { BLEU_SACREBLEU, BLEU_MULTI_BLEU, BLEU_MTEVAL13A } variant;
	const char *tokenizer;		/* its name, for the signature */
	tokenizer *tokenize;
	bool lower;			/* BLEU_SACREBLEU: as Python does; the others only A to Z */

	/* What an order without a match is worth, for BLEU_SACREBLEU (Chen and Cherry 2014). */
	enum bleu_smooth { BLEU_EXP, BLEU_FLOOR, BLEU_ADD_K, BLEU_NONE } smooth;
	double smooth_value;		/* of floor and add-k; negative: 0.1 and 1 */
	bool effective_order;		/* only orders that the hypotheses have; for sentences */
};

struct bleu_score {
	double score;			/* 0 to 100 */
	double precision[BLEU_ORDER];	/* 0 to 100, smoothed */
	double bp, ratio;
	int64_t hyp_len, ref_len;
};

void bleu_compute(const struct bleu *b, const int64_t sums[BLEU_WIDTH], struct bleu_score *s);

/* The names of the variants and smoothings in the order of the enums, NULL-terminated. */
extern const char *const bleu_variants[], *const bleu_smooths[];

/* b must live as long as the metric. */
struct metric bleu_metric(const struct bleu *b);

#endif
