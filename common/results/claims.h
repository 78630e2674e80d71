/*
 * claims: judges the claims of a grid (grid.h).  heed-table(1) states the rule for users.
 *
 * A claim is a row of a section whose name begins with "claims", for one column of data and one
 * measure.  It states that the system of the row is better than its baseline.  If the row has
 * several baselines, the system must be better than each of them.  The baseline with the weakest
 * evidence decides.  A confirmation is an intersection-union test, which needs no correction; for a
 * verdict against the claim, p is multiplied by the number of baselines (Bonferroni).  p-values are
 * adjusted over all claims of a family.
 *
 * A claim on BLEU is tested on the negative log-likelihood (NLL) of the test set, and the
 * confidence interval of the BLEU difference must not contradict it.  Both differences are computed
 * from the runs that have both measures.  Claims on other measures, and claims in a section with a
 * margin ("within") or a ratio, are tested on their own measure alone.  A claim that is in several
 * sections counts once.
 */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "base/buf.h"
#include "results/outcome.h"
#include "results/verdict.h"

/* The comparison of the system of a row with one of its baselines. */
struct claim_base {
	const char *base;		/* variant of the baseline */
	struct evidence evidence;
	double epochs_low, epochs_high;	/* lowest and highest number of epochs of the runs; NAN if
					 * unknown */
	double p_test;			/* result of paper_test(); NAN if this test was not done */
	struct buf p_seeds;		/* p-values of paper_test() for each seed, as text */
};

struct claim {
	const struct grid_section *section;
	const struct grid_row *row;
	const struct our_column *column;	/* column of data (outcome.h) */
	const char *measure;
	struct claim_base *against;	/* [row->n_bases] the comparisons */
	size_t weakest;			/* index of the comparison that decides, in `against` */
	double level;			/* significance level of the test of this claim alone:
					 * VERDICT_LEVEL divided by the number of claims of the
					 * family that are not yet significant, this one included,
					 * times the share of the last look (struct look); NAN if
					 * untested */
	size_t seeds;			/* evidence_seeds_needed() of an open claim, or 0 */
	const struct claim *first;	/* the same claim in an earlier section, whose evidence this
					 * claim gets, but for the difference that its paper
					 * reports; or NULL */
	enum verdict verdict;
};

struct claims {
	struct claim *claim;		/* [n] in the order of the sections and rows of the grid */
	size_t n;
};

/*
 * Judges all claims of o->grid, for o from outcomes_init(), which must outlive *c.  paper_test(),
 * which takes most of the time and is not part of the verdict, is done only for claims of
 * o->section, which may be NULL.  Returns 0, or -1 if sentence scores cannot be read or compared.
 * Call claims_release() in both cases.
 */
int claims_judge(struct claims *c, const struct outcomes *o, struct err *e) MUST_USE;
void claims_release(struct claims *c);

/* The claim that counts in its family: this one, or the same one in an earlier section. */
const struct claim *claim_counted(const struct claim *c);

/*
 * The measure on which a claim is tested: "test.nll" for a claim on BLEU without margin and ratio,
 * otherwise c->measure.
 */
const char *claim_primary(const struct claim *c);

/*
 * The smallest true difference that the last look (verdict.h) would have found significant with
 * power VERDICT_POWER, given the standard error and degrees of freedom of d, a difference of the
 * claim, and c->level.  NAN if the claim is untested, and before the first look.
 */
double claim_detectable(const struct claim *c, const struct difference *d);

/*
 * Claims are not judged if p_aa of their host group (struct group_check of host-group.h) is below
 * this level: the A/A rows then show that runs of the group cannot be compared.
 */
#define CLAIM_AA_LEVEL 0.05

#endif
