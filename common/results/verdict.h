/*
 * verdict: the rule by which a claim "A is better than B" is judged.
 *
 * heed-table(1) states the rule for users.  The difference of two systems is estimated over all
 * runs of their host group (host-group.h) and tested by a two-sided t test.  Claims may be tested
 * several times, with a growing number of seeds; each such test is called a look.  p-values are
 * corrected for the number of looks and, by Holm's method (1979), for the number of claims of a
 * family (grid.h).
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * The significance level of a family of claims.  Confidence intervals have the level 1 -
 * VERDICT_LEVEL.
 */
#define VERDICT_LEVEL 0.05
#define VERDICT_POWER 0.8	/* the power of claim_detectable() (claims.h) */
#define VERDICT_MAX_SEEDS 100	/* the highest number of seeds that evidence_seeds_needed()
				 * considers */

/*
 * A look: the number of seeds with which claims are tested, and the part of VERDICT_LEVEL that this
 * test spends.
 */
struct look { int seeds; double alpha; };

/*
 * The difference A - B of two systems in one measure.  n is the number of seeds that both have.  If
 * n is 0, all real numbers are NAN; if n is 1, all except the mean.
 */
struct difference {
	size_t n;
	size_t tested;			/* number of seeds of the last look that needs at most n
					 * seeds; 0 before the first look, and n if there are no
					 * looks */
	double mean, error, df;		/* estimate, its standard error, degrees of freedom */
	double tested_df;		/* degrees of freedom at the look of `tested` */
	double low, high;		/* confidence interval of the mean */
	double p;			/* two-sided, for the null hypothesis that the mean is
					 * `shift` of the claim (struct evidence), corrected for
					 * looks; NAN if the differences do not vary and are not
					 * `shift` */
	double p_worse;			/* one-sided, small if the mean is above `shift`; not
					 * corrected */
	double p_own;			/* two-sided, with the variances of these two systems alone;
					 * not corrected; NAN if these variances are unknown, as
					 * are then: */
	double own_error, own_df;	/* the standard error and degrees of freedom of this test */
	bool own;			/* p, error and df use the variances of the two systems, not
					 * that of the group */
};
extern const struct difference no_difference;	/* n is 0, all real numbers are NAN */

/*
 * A claim with a significant difference is not decided if p_own is at least this: pooling the
 * variances of a group helps to find small differences, but must not hide that these two systems
 * vary more than others.
 */
#define VERDICT_OWN_LEVEL 0.1

/*
 * Returns the standard error that the mean had at the last look, if the variance then was the
 * present one, and sets *df to its degrees of freedom.  Returns NAN before the first look.
 */
double difference_error_at_look(const struct difference *d, double *df);

/*
 * The verdicts: first those of claims that are not tested, then, from VERDICT_REVERSED on, the
 * results of tests.  verdict_names has their meanings.
 */
enum verdict {
	VERDICT_NOT_RUN, VERDICT_NO_NLL, VERDICT_NO_BLEU, VERDICT_MASKED, VERDICT_POOR,
	VERDICT_ONE_SEED, VERDICT_EQUAL, VERDICT_AA, VERDICT_WAITS, VERDICT_REVERSED,
	VERDICT_SPLIT, VERDICT_SMALLER, VERDICT_WITHIN, VERDICT_OPEN, VERDICT_CONFIRMED
};
/*
 * The texts of verdicts in tables, by enum verdict.  In a table, verdict_put() adds the margin to
 * the text of VERDICT_WITHIN, and to that of VERDICT_OPEN the number of seeds that would decide.
 */
extern const char *const verdict_names[];

/* All that the verdict on the comparison of a system A with a baseline B depends on. */
struct evidence {
	struct difference primary;	/* A - B in test NLL, or in the only measure on which the
					 * claim is tested */
	struct difference secondary;	/* A - B in BLEU; n is 0 if the claim has only one
					 * measure */
	bool primary_is_loss;		/* lower values of the primary measure are better, or are
					 * what the claim states */
	double shift;			/* the null hypothesis of primary.p is that primary.mean is
					 * this value */
	double margin;			/* a smaller difference in the primary measure counts as no
					 * difference; 0: no margin */
	double secondary_margin;	/* the margin in BLEU */
	double p;			/* primary.p, corrected for the number of baselines and
					 * adjusted by holm_adjust() (scores/holm.h) */
	double level;			/* VERDICT_SMALLER needs a confidence interval of level 1 -
					 * level; 0 before the first look */
	double effect;			/* difference that the paper reports in the measure of the
					 * claim, or NAN */
	enum verdict at_most;		/* VERDICT_CONFIRMED, or the verdict that states why the
					 * comparison is not judged */
};

/*
 * Is A better in the primary measure, significantly or not, and does the secondary measure not
 * contradict this?
 */
bool evidence_supports(const struct evidence *c);

/* Is a verdict the result of a test? */
bool verdict_is_tested(enum verdict v);

/* The verdict on a comparison. */
enum verdict verdict_of(const struct evidence *c);

/*
 * The number of further seeds that would decide an open claim if its estimate and standard
 * deviations remained the same.  A claim is decided when a look finds it significant at `level`
 * times the share of VERDICT_LEVEL that the look spends, and the own variances do at
 * VERDICT_OWN_LEVEL; or when it is not found significant, and its confidence interval lies within
 * the margin.  Returns 0 if VERDICT_MAX_SEEDS seeds would not decide the claim.
 */
size_t evidence_seeds_needed(const struct evidence *c, const struct look *look, size_t n_looks,
			     double level);

/* Appends the text of a verdict in a table; `seeds` is the result of evidence_seeds_needed(). */
void verdict_put(struct buf *out, enum verdict v, const struct evidence *c, size_t seeds);

/* The text of a verdict without margin and number of seeds, for figures and counts. */
const char *verdict_short(enum verdict v);

/* Does a cell of a table have this verdict? */
bool verdict_is(const char *cell, enum verdict v);

#endif
