/*
 * claims: the claims of a grid, judged; p-values are adjusted over all claims of a family.
 *
 * A claim is a row of a section whose name begins with "claims", for one of our columns and one
 * measure.  A row with several baselines must be better than each of them, by each measure.  The
 * baseline with the weakest evidence decides: for the claim this is an intersection-union test,
 * which needs no correction; against it, p is multiplied by the number of baselines (Bonferroni).
 *
 * Claims on BLEU are tested on the negative log-likelihood of the test set, and the interval of the
 * BLEU difference must not contradict the claim; both are computed from the runs that have both
 * measures.  Claims in a section with a margin ("within") or a ratio, and claims on other measures,
 * are tested on that measure alone.  A claim that several sections show counts once.
 */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "base/buf.h"
#include "results/outcome.h"
#include "results/verdict.h"

/* A row compared with one of its baselines. */
struct claim_base {
	const char *base;
	struct evidence evidence;
	double better;			/* mean BLEU over the seeds of the better system */
	double epochs_low, epochs_high;	/* minimum and maximum age of the runs; NAN if unknown */
	double p_test;			/* median over the seeds of the p-values of paper_test();
					 * NAN if not tested */
	struct buf p_seeds;		/* p of that test for each seed, as text */
};

struct claim {
	const struct grid_section *section;
	const struct grid_row *row;
	const struct our_column *column;
	const char *measure;
	struct claim_base *against;	/* [row->n_bases] */
	size_t weakest;			/* index of the comparison that decides */
	double level;			/* level of a single test: VERDICT_LEVEL divided by the
					 * number of open claims of the family, times the share of
					 * the last look; NAN if untested */
	size_t seeds;			/* number of further seeds that would decide an open claim,
					 * or 0 */
	const struct claim *first;	/* the same claim in an earlier section, whose verdict this
					 * has, or NULL */
	enum verdict verdict;
};

struct claims {
	struct claim *claim;		/* section by section, as the grid has them */
	size_t n;
};

/*
 * Judges all claims of o->grid; o is initialized by outcomes_init().  The test of the paper, which
 * takes most of the time and is not part of the verdict, is done only for claims of o->section,
 * which may be NULL.  Returns 0, or -1 if sentence scores cannot be read or compared.  Release c in
 * both cases.
 */
int claims_judge(struct claims *c, const struct outcomes *o, struct err *e) MUST_USE;
void claims_release(struct claims *c);

/* The measure that decides: test.nll for a claim on BLEU that is tested on it, else its own. */
const char *claim_primary(const struct claim *c);

/*
 * The minimum true difference that the last look would have confirmed with power VERDICT_POWER,
 * given the standard error, the degrees of freedom, and the significance level of the claim; NAN if
 * untested, and before the first look.
 */
double claim_detectable(const struct claim *c, const struct difference *d);

/*
 * The p-value below which the A/A rows of a claim's host group show that its runs cannot be
 * compared; see struct group_check.
 */
#define CLAIM_AA_LEVEL 0.05

#endif
