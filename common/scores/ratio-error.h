/*
 * ratio-error: the standard error of a ratio of sums over sentences.
 *
 * Sentence i adds s_i to the numerator and n_i > 0 to the denominator of m = sum s_i / sum n_i.
 * For example, m is a mean over tokens if n_i is the number of tokens of the sentence, and a mean
 * over sentences if all n_i are 1.  Sentences are assumed to be a random sample; the tokens of a
 * sentence need not be independent.  The standard error of m is that of the ratio estimator,
 * without the correction for finite populations (Cochran 1977, Sampling techniques, chapter 6):
 *
 *	error^2 = N / (N - 1) * sum (s_i - m n_i)^2 / (sum n_i)^2
 *
 * for N sentences.  If all n_i are 1, this is the usual standard error of a mean.
 */
#ifndef RATIO_ERROR_H
#define RATIO_ERROR_H

#include <stdint.h>

/* Sums over sentences.  Initialize it with zeros. */
struct ratio_error {
	int64_t sentences;		/* N */
	double ratio;			/* m */
	double weight, weights;		/* sums of n_i and of n_i^2 */
	double squares, cross;		/* sums of (s_i - m n_i)^2 and of n_i (s_i - m n_i) */
};

/* Adds a sentence with s_i = `sum` and n_i = `weight`.  A sentence with weight 0 is ignored. */
void ratio_error_add(struct ratio_error *r, double sum, double weight);
/* The standard error of m; NAN for fewer than two sentences, or if a `sum` was NAN. */
double ratio_error_of(const struct ratio_error *r);

#endif
