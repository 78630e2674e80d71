/*
 * host-group: differences of systems by the additive model of their host group.
 *
 * A host group is a set of systems with the same host, corpus, recipe and length of training,
 * which the grid declares.  In one column and measure, a value is system + seed + error, with one
 * residual variance for the group (scores/additive.h); heed-table(1) states the rule.
 */
#ifndef HOST_GROUP_H
#define HOST_GROUP_H

#include "results/outcome.h"

/*
 * The variances of the systems of a group are not pooled if the p-value of Bartlett's test is below
 * this.  (The test of Brown and Forsythe never rejects with three seeds, because one of three
 * deviations from a median is 0.)
 */
#define GROUP_LEVEL 0.01

/*
 * A difference to estimate, variant - base, from the runs in one column that have the measure and,
 * if it is not NULL, the measure `also`.
 */
struct group_pair {
	const char *variant, *base;
	const struct our_column *column;
	const char *measure;
	const char *also;	/* NULL: none */
	double shift;		/* null hypothesis: difference = shift */
	double ratio;		/* 0: the difference is variant - base.  Above 0: it is variant -
				 * ratio x base, of values paired by seed, without regard to
				 * groups */
};

/*
 * Estimates and tests a difference.
 *
 * The looks are those of the grid.  Look k uses the runs up to the look[k].seeds-th seed that both
 * systems have.  The resulting p is the minimum, over the looks that are reached, of the p-value of
 * the look times VERDICT_LEVEL / alpha (weighted Bonferroni correction), and at most 1.  Looks
 * whose difference has the opposite sign of the whole difference are ignored.  Before the first
 * look p is 1.
 *
 * If no group has both systems, these two form a group if the grid declares no groups, so that the
 * test is the t test of differences paired by seed.  Otherwise it is a Welch test of unpaired runs.
 * Runs whose test.nll is computed over other tokens (ledger_masked()) are left out.
 */
struct difference group_difference(const struct outcomes *o, const struct group_pair *c);

/* The check of a group in one column and measure. */
struct group_check {
	size_t runs, systems, seeds;
	double deviation, df;	/* residual standard deviation and degrees of freedom, or NAN */
	double bartlett;	/* p-value, or NAN */
	double largest;		/* largest absolute standardized residual, or NAN */
	size_t n_aa;		/* A/A rows with at least two seeds */
	double p_aa;		/* smallest p-value of the A/A rows, adjusted by Holm's method; NAN
				 * without such rows */
};
struct group_check group_check(const struct outcomes *o, const struct grid_group *g,
			       const struct our_column *column, const char *measure);

#endif
