/*
 * significance: how much of a difference between systems is chance.
 *
 * Everything here works on the sufficient statistics of the sentences, so that
 * a resample costs a sum and not a look at the text.  Random numbers are
 * addressed by (seed, test, resample): the results are the same for any number
 * of threads and on every machine.
 */
#ifndef SIGNIFICANCE_H
#define SIGNIFICANCE_H

#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "text/metric.h"

/* What the tests need of one system: stats is [n, width], one row a sentence. */
struct scored {
	const int32_t *stats;
	size_t n;
	int width;
	score_function *score;
	const void *how;
};

double scored_corpus(const struct scored *s);		/* the score of all sentences */

/*
 * Scores of resamples of n sentences drawn with replacement (Efron 1979), the
 * same sentences for every system: out is [n_systems, resamples].  n is at
 * least 1 and the same for all systems; pool may be NULL.
 */
void bootstrap(const struct scored *system, size_t n_systems, size_t resamples, uint64_t seed,
	       struct pool *pool, double *out);

/*
 * As sacreBLEU's estimate_ci(): the mean, and half the distance between the 2.5 % and
 * 97.5 % ranks.  Sorts.
 */
struct interval { double mean, half, low, high; };
void bootstrap_interval(double *score, size_t resamples, struct interval *ci);

/*
 * p-values of a system against a baseline whose scores on the same resamples are given.
 *
 * Koehn 2004 (Statistical significance tests for machine translation evaluation):
 * the share of resamples in which the system that is better on the whole corpus is not better.
 *
 * sacreBLEU 2 (after Moses' bootstrap-hypothesis-difference-significance.pl): with d the
 * absolute differences of the resamples, how often d - mean(d) reaches the difference D of
 * the whole corpus: (1 + #{d - mean(d) >= D}) / (1 + resamples).  sacreBLEU has > where
 * we have >=, and so calls identical systems significantly different.
 */
double bootstrap_p_koehn(const double *base, const double *system, size_t resamples,
			 double difference);
double bootstrap_p_centred(const double *base, const double *system, size_t resamples,
			   double difference);

/*
 * Approximate randomisation (Noreen 1989; Riezler and Maxwell 2005): outputs are
 * swapped sentence by sentence with probability 1/2; p = (1 + #{|d| >= |D|}) / (1 + trials).
 */
double approximate_randomisation(const struct scored *base, const struct scored *system,
				 size_t trials, uint64_t seed, struct pool *pool);

/*
 * The sign test of Collins, Koehn and Kucerova 2005 (Clause restructuring for
 * statistical machine translation): the baseline's output of one sentence is
 * replaced by the system's, and the score of the whole corpus gets better, worse
 * or stays.  z = |better - N/2| / sqrt(N/4) with N = better + worse; p is the
 * exact two-sided binomial probability.
 */
struct sign_test { int64_t better, worse, equal; double z, p; };
void sign_test(const struct scored *base, const struct scored *system, struct pool *pool,
	       struct sign_test *t);
void sign_test_counts(struct sign_test *t);	/* z and p from better and worse */

#endif
