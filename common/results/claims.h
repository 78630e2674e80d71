/*
 * claims: the claims of a grid, judged; p-values are adjusted over all claims of a paper.
 *
 * A claim is a row of a section whose name begins with "claims", for one of our columns and one
 * measure.  A row with several baselines must be better than each of them, by each measure.  The
 * baseline with the weakest evidence decides: for the claim this is an intersection-union test,
 * which needs no correction; against it, p is multiplied by the number of baselines (Bonferroni).
 *
 * Claims on BLEU are tested on the negative log-likelihood of the test set, and the BLEU difference
 * must have the same sign; both are of the seeds that have both measures.  Claims in a section with
 * a margin ("within"), and claims on other measures, are tested on that measure alone.
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
	double p_test;			/* by paper_test(), of the median seed; or NAN */
	struct buf p_seeds;		/* p of that test for each seed, as text */
};

struct claim {
	const struct grid_section *section;
	const struct grid_row *row;
	const struct our_column *column;
	const char *measure;
	struct claim_base *against;	/* [row->n_bases] */
	size_t weakest;			/* index of the comparison that decides */
	double level;			/* level that its unadjusted p had to reach at the last
					 * look, by Holm's method; NAN if untested */
	enum verdict verdict;
};

struct claims {
	struct claim *claim;		/* section by section, as the grid has them */
	size_t n;
};

/*
 * Judges all claims of o->grid; o is initialized by outcomes_init(), and o->section is ignored.
 * Returns 0, or -1 if sentence scores cannot be read or compared.  Release c in both cases.
 */
int claims_judge(struct claims *c, const struct outcomes *o, struct err *e) MUST_USE;
void claims_release(struct claims *c);

/*
 * The minimum true difference that the last look would have confirmed with power VERDICT_POWER,
 * given its number of seeds, the standard deviation of all seeds, and the significance level of
 * the claim; NAN if untested, and before the first look.
 */
double claim_detectable(const struct claim *c, const struct difference *d);

#endif
