/*
 * host-group: estimates and tests differences between systems by the additive model of their host
 * group.
 *
 * A host group is a set of systems with the same host model, corpus, recipe and length of training,
 * which the grid declares (grid.h).  On one column of data and in one measure, the value of a run
 * is modeled as system + seed + error, with one residual variance for the group
 * (scores/additive.h).  heed-table(1) states the rule.
 */
#ifndef HOST_GROUP_H
#define HOST_GROUP_H

#include "results/outcome.h"

/*
 * If the p-value of Bartlett's test for equal variances is below this level, the variances of the
 * systems of a group are not pooled.  (The test of Brown and Forsythe would never reject with three
 * seeds, because one of three deviations from a median is 0.)
 */
#define GROUP_LEVEL 0.01

/*
 * A difference to estimate, variant - base.  It is estimated from those runs on a column of data
 * that have the measure and, unless `also` is NULL, the measure `also`.
 */
struct group_pair {
	const char *variant, *base;
	const struct our_column *column;
	const char *measure;
	const char *also;	/* NULL: none */
	double shift;		/* the null hypothesis is difference = shift */
	double ratio;		/* if above 0, the difference is variant - ratio * base, of values
				 * paired by seed, without host groups */
};

/*
 * Estimates and tests a difference over the seeds that both systems have.
 *
 * The looks are those of the grid (struct look of verdict.h).  Look k is reached if the systems
 * have at least look[k].seeds seeds in common; it uses the runs up to the last of that many seeds.
 * The resulting p is the minimum, over the looks that were reached, of the p-value of the look
 * times VERDICT_LEVEL / look[k].alpha (weighted Bonferroni correction), and at most 1.  A look is
 * ignored if its difference lies on the other side of `shift` than the difference over all seeds.
 * Before the first look p is 1.
 *
 * If the grid declares no groups, the two systems form a group, so that the test is the t test of
 * differences paired by seed.  If it declares groups, but none with both systems, the test is a
 * Welch test of unpaired runs.  Runs of a group whose test.nll is computed over other tokens than
 * that of the two systems (ledger_masked() of ledger.h) are left out.  A training that the group
 * has under several names (struct outcomes) counts once.
 */
struct difference group_difference(const struct outcomes *o, const struct group_pair *c);

/*
 * The check of a group on one column of data and in one measure: how well the additive model fits.
 */
struct group_check {
	size_t runs, systems, seeds;
	double deviation, df;	/* residual standard deviation of the fit, and its degrees of
				 * freedom; or NAN */
	double bartlett;	/* p-value of Bartlett's test for equal variances, or NAN */
	double largest;		/* largest absolute standardized residual, or NAN */
	size_t n_aa;		/* number of A/A rows (struct grid_aa) with at least two seeds */
	double p_aa;		/* smallest p-value of these rows, adjusted by Holm's method; not
				 * corrected for looks, since a check need not wait for one; NAN
				 * without such rows */
};
struct group_check group_check(const struct outcomes *o, const struct grid_group *g,
			       const struct our_column *column, const char *measure);

#endif
