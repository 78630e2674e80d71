/*
 * verdict: what the differences of paired runs say of a claim "A is better than B".
 *
 * The rule, which heed-table(1) states for users: differences are paired by seed; a two-sided t test
 * is made over the seeds; its p values are corrected for repeated looks at a growing number of seeds
 * and, by Holm's method (1979), for the number of claims of a paper.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#define VERDICT_LEVEL 0.05	/* of all claims of a paper together, and of intervals */
#define VERDICT_POWER 0.8

/* A number of seeds at which the claims are judged, and the share of VERDICT_LEVEL spent there. */
struct look { int seeds; double alpha; };

/*
 * Differences A - B of n runs, one a seed.  All but n is NAN for n = 0, and all but n and mean for
 * n = 1.
 */
struct difference {
	size_t n;
	double mean, deviation;		/* the deviation by n - 1 */
	double low, high;		/* the interval of mean at level 1 - VERDICT_LEVEL */
	double p;			/* two-sided, of "mean is shift", corrected for looks */
	double p_worse;			/* one-sided: small if mean is above shift; not corrected */
};

/*
 * d has the differences in the order of the seeds.  With n_looks = 0 all of them are tested once.
 * Otherwise look k tests the first look[k].seeds, and p is the minimum of p x VERDICT_LEVEL / alpha
 * (Bonferroni's correction with weights; at most 1) over the looks whose mean has the sign of the
 * mean of all seeds; before the first look p is 1.
 */
struct difference difference_of(const double *d, size_t n, double shift, const struct look *look,
				size_t n_looks);

/*
 * Holm's method: p[i] becomes the adjusted p value, level[i] the level that the unadjusted one had to
 * reach, VERDICT_LEVEL / (n - rank + 1).  NANs take no part and get NAN.
 */
void holm(double *p, double *level, size_t n);

/* From the weakest. */
enum verdict {
	VERDICT_NOT_RUN, VERDICT_NO_NLL, VERDICT_POOR, VERDICT_ONE_SEED, VERDICT_REVERSED,
	VERDICT_SPLIT, VERDICT_NO_EFFECT, VERDICT_INCONCLUSIVE, VERDICT_CONFIRMED
};
extern const char *const verdict_names[];

struct evidence {
	struct difference primary;	/* of the test set's NLL, or of the one measure of the claim */
	struct difference secondary;	/* of BLEU; n = 0 if the claim has one measure only */
	bool primary_is_loss;		/* less is better */
	double shift;			/* that primary.p was computed for */
	double p;			/* primary.p after holm() */
	double effect;			/* what the paper reports of the secondary measure; or NAN */
	bool poor;			/* neither system has learned to translate */
};

enum verdict verdict_of(const struct evidence *c);

#endif
