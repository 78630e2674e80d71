/*
 * chrf: chrF (Popovic 2015) and chrF++ (2017) as sacreBLEU 2.6 computes them.
 *
 * Precision and recall of character n-grams, which ignore whitespace, and of word n-grams are
 * averaged over the orders that both sides have.  The score is their F-beta score.  Of several
 * references, the one with the best sentence score is used.
 */
#ifndef CHRF_H
#define CHRF_H

#include "scores/metric.h"

struct chrf {
	int char_order;		/* maximum order of character n-grams, 1 to 9; default 6 */
	int word_order;		/* maximum order of word n-grams, 0 to 9; chrF 0, chrF++ 2 */
	int beta;		/* weight of recall; default 2 */
	bool lower;		/* lowercase first */
	bool whitespace;	/* count whitespace as characters */
	bool eps_smoothing;	/* 1e-16 for absent orders, like chrF++.py, NLTK and Moses */
};

/*
 * Computes the score, 0 to 100.  `sums` has three values for each order, first those of characters:
 * the numbers of n-grams in the hypothesis, in the reference, and in both.  Without eps_smoothing,
 * the score is 0 if no order has n-grams on both sides.
 */
double chrf_compute(const struct chrf *c, const int64_t *sums);

/* chrF as a metric.  c must outlive it. */
struct metric chrf_metric(const struct chrf *c);

#endif
