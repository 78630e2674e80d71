/*
 * chrf: chrF (Popovic 2015) and chrF++ (2017) as sacreBLEU 2.6 computes them.
 *
 * For each order of character n-grams, which ignore whitespace by default, and of word n-grams,
 * precision and recall are computed.  Both are averaged over the orders of which hypothesis and
 * reference have n-grams.  The score is the F-beta score of these averages.  Of several references
 * of a sentence, the one with the best sentence score is used.
 */
#ifndef CHRF_H
#define CHRF_H

#include "scores/metric.h"

struct chrf {
	int char_order;		/* maximum order of character n-grams, 1 to 9; default 6 */
	int word_order;		/* maximum order of word n-grams, 0 to 9; 0 for chrF, 2 for
				 * chrF++ */
	int beta;		/* recall is weighted `beta` times as much as precision; default
				 * 2 */
	bool lower;		/* lowercase the texts first */
	bool whitespace;	/* count whitespace as characters */
	bool eps_smoothing;	/* as in chrF++.py, NLTK and Moses: average the F-scores of all
				 * orders, with 1e-16 in place of undefined values */
};

/*
 * Returns the score, 0 to 100, for `settings`, a struct chrf.  `sums` has three values for
 * each order: the numbers of n-grams in the hypotheses, in the references, and in both.  The orders
 * of characters come first, then those of words.  Unless eps_smoothing is set, the score is 0 if
 * hypotheses and references have n-grams of no common order.
 */
score_function chrf_compute;

/* Returns chrF as a metric.  `c` must outlive the result. */
struct metric chrf_metric(const struct chrf *c);

#endif
