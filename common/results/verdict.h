/*
 * verdict: the rule by which a claim "A is better than B" is judged.
 *
 * heed-table(1) states the rule for users.  The difference of two systems is estimated over all
 * runs of their host group (host-group.h) and tested by a two-sided t test.  Its p-values are
 * corrected for repeated tests at a growing number of seeds ("looks") and, by Holm's method (1979),
 * for the number of claims of a family.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* The significance level of a family of claims; intervals have level 1 - VERDICT_LEVEL. */
#define VERDICT_LEVEL 0.05
#define VERDICT_POWER 0.8	/* the power of claim_detectable() */
#define VERDICT_MAX_SEEDS 100	/* the highest number of seeds that evidence_seeds_needed() tries */

/*
 * A number of seeds at which claims are tested, and the part of VERDICT_LEVEL that is spent on this
 * test.
 */
struct look { int seeds; double alpha; };

/*
 * The difference A - B of two systems.  n is the number of seeds that both have.  For n = 0 all
 * other numbers are NAN; for n = 1 all except the mean are.
 */
struct difference {
	size_t n;
	size_t tested;			/* number of seeds of the last look that n has reached; 0
					 * before the first look, and n without looks */
	double mean, error, df;		/* estimate, standard error, degrees of freedom */
	double low, high;		/* confidence interval of the mean */
	double p;			/* two-sided, of "mean = shift", corrected for looks; NAN
					 * if the differences do not vary and are not the shift */
	double p_worse;			/* one-sided: small if mean > shift; not corrected */
	double p_own;			/* two-sided, with the variances of the two systems alone,
					 * not corrected; NAN if there are none */
	bool own;			/* p, error and df use these variances, not that of the
					 * group */
};

/*
 * A claim with a significant difference remains open if p_own is not below this: pooled variances
 * find small differences, but must not overrule systems that vary more than the others.
 */
#define VERDICT_OWN_LEVEL 0.1

/*
 * Returns the standard error, and sets *df to the degrees of freedom, of the last look, as if the
 * variance had been the present one; NAN before the first look.
 */
double difference_error_at_look(const struct difference *d, double *df);

/* Ordered from the weakest evidence to the strongest. */
enum verdict {
	VERDICT_NOT_RUN, VERDICT_NO_NLL, VERDICT_NO_BLEU, VERDICT_MASKED, VERDICT_POOR,
	VERDICT_ONE_SEED, VERDICT_EQUAL, VERDICT_AA, VERDICT_WAITS, VERDICT_REVERSED,
	VERDICT_SPLIT, VERDICT_SMALLER, VERDICT_WITHIN, VERDICT_OPEN, VERDICT_CONFIRMED
};
/*
 * The texts of verdicts in tables, by enum verdict.  verdict_put() adds the margin to that of
 * VERDICT_WITHIN, and the number of seeds that would decide to that of VERDICT_OPEN.
 */
extern const char *const verdict_names[];

/* All that the verdict on one comparison depends on. */
struct evidence {
	struct difference primary;	/* in test NLL, or in the only measure of the claim */
	struct difference secondary;	/* in BLEU; n = 0 if the claim has one measure only */
	bool primary_is_loss;		/* lower is better */
	double shift;			/* null hypothesis of primary.p: mean = shift */
	double margin;			/* the margin of "no difference" in the primary measure; 0:
					 * none */
	double secondary_margin;	/* the same in BLEU */
	double p;			/* primary.p, corrected for baselines and adjusted by
					 * holm_adjust() */
	double level;			/* VERDICT_SMALLER needs an interval of level 1 - level;
					 * 0 before the first look */
	double effect;			/* difference that the paper reports in the measure of the
					 * claim, which is BLEU if it names none; or NAN */
	enum verdict at_most;		/* VERDICT_CONFIRMED, or the verdict that says why the
					 * comparison is not judged */
};

/*
 * Whether A has the better primary measure, significantly or not, and the secondary measure does
 * not contradict.
 */
bool evidence_supports(const struct evidence *c);

/*
 * verdict_is_tested() returns whether a verdict is the result of a test; verdict_is_decided()
 * returns whether it is also final, that is, not open.
 */
bool verdict_is_tested(enum verdict v);
bool verdict_is_decided(enum verdict v);

/* The verdict on a comparison. */
enum verdict verdict_of(const struct evidence *c);

/*
 * The number of further seeds that would decide an open claim if its estimate and standard
 * deviation remained the same: the number until a look finds it significant, at `level` times the
 * part of VERDICT_LEVEL that the look may spend, or until the interval lies within the margin.
 * Returns 0 if VERDICT_MAX_SEEDS seeds would not decide.
 */
size_t evidence_seeds_needed(const struct evidence *c, const struct look *look, size_t n_looks,
			     double level);

/* Appends the verdict as tables print it; `seeds` is evidence_seeds_needed(). */
void verdict_put(struct buf *out, enum verdict v, const struct evidence *c, size_t seeds);

/* The verdict without its margin and its number of seeds, for figures and counts. */
const char *verdict_short(enum verdict v);

/* Whether a cell of a table has this verdict. */
bool verdict_is(const char *cell, enum verdict v);

#endif
