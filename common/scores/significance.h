/*
 * significance: tests whether a difference between systems is statistically significant.
 *
 * All tests use the sufficient statistics of the sentences, so a resample costs a sum and does not
 * read the text.  Random numbers are a function of seed, test and resample: the results are the
 * same for any number of threads and on every machine.
 */
#ifndef SIGNIFICANCE_H
#define SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "scores/metric.h"

/* A system: `stats` [n, width] has a row for each sentence. */
struct scored {
	const int32_t *stats;
	size_t n;
	int width;
	score_function *score;
	const void *how;
	bool lower_is_better;	/* for the directions of the sign test */
};

/* The score of all sentences. */
double scored_corpus(const struct scored *s);

/*
 * Scores resamples of n sentences drawn with replacement (Efron 1979), the same sentences for every
 * system.  `out` is [n_systems, resamples].  n is at least 1 and the same for all systems.  `pool`
 * may be NULL.
 */
void bootstrap(const struct scored *system, size_t n_systems, size_t resamples, uint64_t seed,
	       struct pool *pool, double *out);

/*
 * The mean and the 95% confidence interval of resamples, as in sacreBLEU's estimate_ci().  `low`
 * and `high` are the values at the 2.5% and 97.5% ranks, and `half` is half their distance.  Sorts
 * `score` [resamples].
 */
struct interval { double mean, half, low, high; };
void bootstrap_interval(double *score, size_t resamples, struct interval *ci);

/*
 * p-values of a system against a baseline, from their scores on the same resamples.  `difference`
 * is their difference on the whole corpus.
 *
 * bootstrap_p_koehn(): Koehn 2004, Statistical significance tests for machine translation
 * evaluation.  The share of resamples in which the system that is better on the whole corpus is not
 * better.
 *
 * bootstrap_p_centered(): as in sacreBLEU 2, after Moses'
 * bootstrap-hypothesis-difference-significance.pl.  With the absolute differences d of the
 * resamples and D of the whole corpus, p = (1 + #{d - mean(d) >= D}) / (1 + resamples).  sacreBLEU
 * has > instead of >=, and therefore finds a significant difference between identical systems.
 */
double bootstrap_p_koehn(const double *base, const double *system, size_t resamples,
			 double difference);
double bootstrap_p_centered(const double *base, const double *system, size_t resamples,
			    double difference);

/*
 * Approximate randomization (Noreen 1989; Riezler and Maxwell 2005).  In each trial, the outputs of
 * each sentence are swapped with probability 1/2.  With the differences d of the trials and D of
 * the systems, p = (1 + #{|d| >= |D|}) / (1 + trials).
 */
double approximate_randomization(const struct scored *base, const struct scored *system,
				 size_t trials, uint64_t seed, struct pool *pool);

/*
 * The sign test of Collins, Koehn and Kucerova 2005, Clause restructuring for statistical machine
 * translation.  For each sentence, the baseline's output is replaced by the system's, and the score
 * of the whole corpus gets better, worse or stays equal.  z = |better - N/2| / sqrt(N/4) with
 * N = better + worse; p is the exact two-sided binomial probability.
 */
struct sign_test { int64_t better, worse, equal; double z, p; };
void sign_test(const struct scored *base, const struct scored *system, struct pool *pool,
	       struct sign_test *t);
/* Computes z and p from better and worse. */
void sign_test_counts(struct sign_test *t);

/* Significance tests of several systems against the first; paired_tests[] has their names. */
enum paired_test {
	PAIRED_BOOTSTRAP, PAIRED_KOEHN, PAIRED_RANDOMIZATION, PAIRED_SIGN, PAIRED_TESTS
};
extern const char *const paired_tests[];	/* NULL-terminated */

struct paired {
	bool test[PAIRED_TESTS];
	bool confidence;	/* compute intervals even without a bootstrap test */
	int64_t resamples, trials, seed;
};

/* A system compared with the baseline.  Each p is negative for a test that was not made. */
struct comparison {
	double difference;		/* system minus baseline */
	double p_centered, p_koehn, p_randomization;
	struct sign_test sign;
};

/* Do these settings need bootstrap resamples? */
bool paired_resamples(const struct paired *p);

/*
 * Runs the tests on n systems; `system[0]` is the baseline.  Sets `ci` [n] if there are resamples
 * (paired_resamples()), and `comparison`[1 ... n - 1] if there is a test; leaves them unchanged
 * otherwise, as it does comparison[0].  `pool` may be NULL.
 */
void paired_run(const struct paired *p, const struct scored *system, size_t n, struct pool *pool,
		struct interval *ci, struct comparison *comparison);

#endif
