/*
 * chrf: chrF (Popovic 2015) and chrF++ (2017) as sacreBLEU 2.6 computes them.
 *
 * Precision and recall of character n-grams, without whitespace, and of word
 * n-grams, averaged over the orders that both sides have, joined as an F score
 * that weighs recall beta times.  Of several references the one with the best
 * sentence score counts.
 */
#ifndef CHRF_H
#define CHRF_H

#include "text/metric.h"

struct chrf {
	int char_order;		/* 1 to 9; chrF has 6 */
	int word_order;		/* 0 to 9; chrF 0, chrF++ 2 */
	int beta;		/* 2 */
	bool lower;
	bool whitespace;	/* counts as a character */
	bool eps_smoothing;	/* as chrF++.py, NLTK and Moses: absent orders count 1e-16 */
};

/*
 * sums: hypothesis, reference and matching n-grams of each order, those of characters
 * first; 0 to 100.
 */
double chrf_compute(const struct chrf *c, const int64_t *sums);

struct metric chrf_metric(const struct chrf *c);

#endif
