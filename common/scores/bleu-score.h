/*
 * bleu-score: BLEU.  The first four functions are members of struct metric (metric.h): they collect
 * the sufficient statistics of a sentence.
 */
#ifndef BLEU_SCORE_H
#define BLEU_SCORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "scores/metric.h"
#include "text/tokenizers.h"

/*
 * BLEU (Papineni et al. 2002) as in sacreBLEU 2.6, multi-bleu.perl and mteval-v13a.pl.
 *
 *	BLEU = BP exp(1/4 sum_k log p_k),   p_k = c_k / t_k,   BP = min(1, exp(1 - r / h))
 *
 * where c_k is the number of n-grams of order k in the hypotheses that match, and t_k the number of
 * all n-grams of order k in them.  An n-gram of a sentence matches at most as often as it occurs in
 * the reference that contains it most often.  The number of tokens in the hypotheses is h, and r is
 * the sum over sentences of the length of one reference: the one whose length is closest to that of
 * the hypothesis, or, of two equally close ones, the shorter.
 */
enum {
	BLEU_ORDER = 4,
	/*
	 * Indices of the statistics h, r, c_1 and t_1; c_2 to c_4 follow c_1, and t_2 to t_4 follow
	 * t_1.
	 */
	BLEU_HYP_LEN = 0, BLEU_REF_LEN, BLEU_MATCH, BLEU_TOTAL = BLEU_MATCH + BLEU_ORDER,
	BLEU_WIDTH = BLEU_TOTAL + BLEU_ORDER
};

struct bleu {
	enum bleu_variant { BLEU_SACREBLEU, BLEU_MULTI_BLEU, BLEU_MTEVAL13A } variant;
	const char *tokenizer;		/* name of the tokenizer, for the signature */
	tokenizer *tokenize;
	bool lower;			/* lowercase the texts first: with BLEU_SACREBLEU all
					 * letters, as in Python; with the other variants only A to
					 * Z */

	/*
	 * How the precision of an order without a match is smoothed (Chen and Cherry 2014); only
	 * with BLEU_SACREBLEU.
	 */
	enum bleu_smooth { BLEU_EXP, BLEU_FLOOR, BLEU_ADD_K, BLEU_NONE } smooth;
	double smooth_value;		/* the parameter of BLEU_FLOOR or BLEU_ADD_K; negative: the
					 * default, 0.1 or 1 */
	bool effective_order;		/* leave out orders of which the hypotheses have no n-grams,
					 * because they are too short */
};

struct bleu_score {
	double score;			/* 0 to 100 */
	double precision[BLEU_ORDER];	/* p_k, smoothed, 0 to 100 */
	double bp, ratio;		/* brevity penalty BP; hyp_len / ref_len */
	int64_t hyp_len, ref_len;	/* h and r */
};

/* Sets *s to the score of a corpus, whose statistics summed over sentences are `sums`. */
void bleu_compute(const struct bleu *b, const int64_t sums[BLEU_WIDTH], struct bleu_score *s);

/* The names of the variants, and of the smoothing methods, in the order of the enums, then NULL. */
extern const char *const bleu_variants[], *const bleu_smooths[];

/* Returns BLEU as a metric.  `b` must outlive the result. */
struct metric bleu_metric(const struct bleu *b);

#endif
