/*
 * verdict: the statistical test of a claim "A is better than B" over paired runs.
 *
 * heed-table(1) states the rule for users.  Differences are paired by seed and tested by a
 * two-sided t test over the seeds.  Its p-values are corrected for repeated tests at a growing
 * number of seeds ("looks") and, by Holm's method (1979), for the number of claims of a paper.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The significance level of all claims of a paper together; intervals have level 1 -
 * VERDICT_LEVEL.
 */
#define VERDICT_LEVEL 0.05
#define VERDICT_POWER 0.8	/* of claim_detectable() */

/* A number of seeds at which claims are tested, and the part of VERDICT_LEVEL spent there. */
struct look { int seeds; double alpha; };

/*
 * Summary of the differences A - B of n pairs of runs, one pair per seed.  For n = 0 all other
 * numbers are NAN; for n = 1 all but mean.
 */
struct difference {
	size_t n;
	size_t tested;			/* seeds of the last look that n has reached; without looks
					 * n, before the first look 0 */
	double tested_mean, tested_deviation;	/* of these seeds */
	double mean, deviation;		/* sample standard deviation, denominator n - 1 */
	double low, high;		/* confidence interval of the mean */
	double p;			/* two-sided, of "mean = shift", corrected for looks; NAN
					 * if all differences are equal, but not to the shift */
	double p_worse;			/* one-sided: small if mean > shift; not corrected */
};

/*
 * d[n] has the differences in the order of the seeds.  With n_looks = 0 there is one test, of all
 * of them.  Otherwise look k tests the first look[k].seeds differences, and p is the minimum of p
 * x VERDICT_LEVEL / alpha (weighted Bonferroni correction, at most 1) over the looks that n has
 * reached.  Looks whose mean has the opposite sign of the mean of all seeds are ignored.  With
 * fewer seeds than the first look p is 1.
 */
struct difference difference_of(const double *d, size_t n, double shift, const struct look *look,
				size_t n_looks);

/* Ordered from the weakest evidence to the strongest. */
enum verdict {
	VERDICT_NOT_RUN, VERDICT_NO_NLL, VERDICT_NO_BLEU, VERDICT_MASKED, VERDICT_POOR,
	VERDICT_ONE_SEED, VERDICT_EQUAL, VERDICT_REVERSED,
	VERDICT_SPLIT, VERDICT_SMALLER, VERDICT_INCONCLUSIVE, VERDICT_CONFIRMED
};
extern const char *const verdict_names[];	/* as tables print them, by enum verdict */

/* All that the verdict on one comparison depends on. */
struct evidence {
	struct difference primary;	/* in test NLL, or in the only measure of the claim */
	struct difference secondary;	/* in BLEU; n = 0 if the claim has one measure only */
	bool primary_is_loss;		/* lower is better */
	double shift;			/* null hypothesis of primary.p: mean = shift */
	double p;			/* primary.p, corrected for baselines and adjusted by
					 * holm_adjust() */
	double level;			/* VERDICT_SMALLER needs an interval of level 1 - level,
					 * at the last look; 0 before the first look */
	double effect;			/* difference that the paper reports in the measure of the
					 * claim, which is BLEU if it names none; or NAN */
	enum verdict at_most;		/* VERDICT_CONFIRMED, or why this is not judged */
};

/* Whether A is better, significantly or not, by each measure of the claim; n > 0. */
bool evidence_supports(const struct evidence *c);

/* Whether a verdict is that of a test. */
bool verdict_is_tested(enum verdict v);

enum verdict verdict_of(const struct evidence *c);

#endif
