/*
 * significance: tests whether the difference of the scores of two systems is statistically
 * significant.
 *
 * All tests use the sufficient statistics of the sentences (metric.h), so that a resample costs
 * only sums of integers.  Random numbers are a function of the seed, the test and the number of the
 * resample.  Therefore, the results are the same for any number of threads and on every machine.
 * In all functions, `pool` has the threads to use; NULL means none but the caller's.
 */
#ifndef SIGNIFICANCE_H
#define SIGNIFICANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pool.h"
#include "scores/metric.h"

/*
 * A system and the metric that scores it.  `stats` [n, width] has the statistics of each sentence.
 * `score` and `how` are members of the metric.
 */
struct scored {
	const int32_t *stats;
	size_t n;
	int width;
	score_function *score;
	const void *how;
	bool lower_is_better;	/* tells the sign test which direction is better */
};

/* Returns the score of the whole corpus. */
double scored_corpus(const struct scored *s);

/*
 * Bootstrap resampling (Efron 1979).  A resample is as many sentences as the corpus has, drawn with
 * replacement; the same sentences are drawn for all systems.  Sets `out` [n_systems, resamples] to
 * the scores of the systems on the resamples.  All systems must have the same number of sentences,
 * at least 1.
 */
void bootstrap(const struct scored *system, size_t n_systems, size_t resamples, uint64_t seed,
	       struct pool *pool, double *out);

/*
 * Sets *ci to the mean and the 95% confidence interval of the scores of one system on resamples, as
 * in estimate_ci() of sacreBLEU.  `low` and `high` are the scores at the 2.5% and 97.5% ranks, and
 * `half` is half of their distance.  `score` [resamples] is sorted in place.
 */
struct interval { double mean, half, low, high; };
void bootstrap_interval(double *score, size_t resamples, struct interval *ci);

/*
 * p-values of the difference between a system and the baseline.  `base` and `system` [resamples]
 * are their scores on the same resamples.  `difference` is the score of the system minus that of
 * the baseline on the whole corpus.
 *
 * bootstrap_p_koehn() is the fraction of resamples on which the system that wins on the whole
 * corpus, be it the baseline, does not win (Koehn 2004, Statistical significance tests for machine
 * translation evaluation).
 *
 * bootstrap_p_centered() is the p-value of sacreBLEU 2, which follows
 * bootstrap-hypothesis-difference-significance.pl of Moses.  Let d be the absolute difference on a
 * resample, and D that on the whole corpus.  Then p = (1 + #{d - mean(d) >= D}) / (1 + resamples).
 * sacreBLEU has > in place of >=, and therefore finds a significant difference between identical
 * systems.
 */
double bootstrap_p_koehn(const double *base, const double *system, size_t resamples,
			 double difference);
double bootstrap_p_centered(const double *base, const double *system, size_t resamples,
			    double difference);

/*
 * Returns the p-value of approximate randomization (Noreen 1989; Riezler and Maxwell 2005).  In
 * each trial, the outputs of the two systems for each sentence are swapped with probability 1/2.
 * Let d be the difference of the scores in a trial, and D that without swaps.  Then p = (1 + #{|d|
 * >= |D|}) / (1 + trials).
 */
double approximate_randomization(const struct scored *base, const struct scored *system,
				 size_t trials, uint64_t seed, struct pool *pool);

/*
 * The sign test of Collins, Koehn and Kucerova 2005, Clause restructuring for statistical machine
 * translation.  For one sentence at a time, the output of the baseline is replaced by that of the
 * system; the score of the whole corpus then becomes better, becomes worse, or stays equal.  With N
 * = better + worse, z = |better - N/2| / sqrt(N/4), and p is the exact two-sided binomial
 * probability.
 */
struct sign_test { int64_t better, worse, equal; double z, p; };
void sign_test(const struct scored *base, const struct scored *system, struct pool *pool,
	       struct sign_test *t);
/* Sets t->z and t->p, given t->better and t->worse. */
void sign_test_counts(struct sign_test *t);

/*
 * The tests of paired_run().  PAIRED_BOOTSTRAP is bootstrap_p_centered(), PAIRED_KOEHN is
 * bootstrap_p_koehn().
 */
enum paired_test {
	PAIRED_BOOTSTRAP, PAIRED_KOEHN, PAIRED_RANDOMIZATION, PAIRED_SIGN, PAIRED_TESTS
};
extern const char *const paired_tests[];	/* the names of the tests, then NULL */

struct paired {
	bool test[PAIRED_TESTS];	/* which tests to make */
	bool confidence;	/* compute confidence intervals even without a bootstrap test */
	int64_t resamples, trials, seed;
};

/*
 * The tests of a system against the baseline.  The p-value of a test that was not made is negative.
 */
struct comparison {
	double difference;		/* system minus baseline */
	double p_centered, p_koehn, p_randomization;
	struct sign_test sign;
};

/* Whether these settings need bootstrap resamples. */
bool paired_resamples(const struct paired *p);

/*
 * Runs the tests on `n` systems; system[0] is the baseline.  Sets `ci` [n] to the confidence
 * intervals if paired_resamples() is true, and leaves it unchanged otherwise.  Sets comparison[1]
 * ... comparison[n - 1] if any test is chosen, and leaves them unchanged otherwise.  comparison[0]
 * is never changed.
 */
void paired_run(const struct paired *p, const struct scored *system, size_t n, struct pool *pool,
		struct interval *ci, struct comparison *comparison);

#endif
