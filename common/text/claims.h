/*
 * claims: the claims of a grid, those of each paper judged together.
 *
 * A claim is a row of a section whose name begins with "claims", in one of our columns, of one
 * measure.  A row with several bases must be better than each: the base that it beats least decides
 * (an intersection-union test, which needs no correction).  Claims of BLEU are judged by the negative
 * log-likelihood of the test set, which BLEU must not contradict; in a section with a margin
 * ("within"), and of other measures, by the measure itself.
 */
#ifndef CLAIMS_H
#define CLAIMS_H

#include "base/buf.h"
#include "text/outcome.h"
#include "text/verdict.h"

/* A row against one base. */
struct comparison {
	const char *base;
	struct evidence evidence;
	double better;			/* the higher of both systems' mean BLEU over the seeds */
	double epochs_low, epochs_high;	/* how long the runs were trained; NAN if unknown */
	double p_test;			/* by the paper's test, the median seed's; NAN if not made */
	struct buf p_seeds;		/* that of each seed, as text */
};

struct claim {
	const struct grid_section *section;
	const struct grid_row *row;
	const struct our_column *column;
	const char *measure;
	struct comparison *against;	/* [row->n_bases] */
	size_t weakest;			/* which of them decides */
	double level;			/* that its last p had to reach, by Holm's method and the looks;
					 * NAN if untested */
	enum verdict verdict;
};

struct claims {
	struct claim *claim;		/* section by section, as the grid has them */
	size_t n;
};

/* o as outcomes_init() left it, of any section; 0, or -1 with what is wrong with a comparison. */
int claims_judge(struct claims *c, const struct outcomes *o, struct err *e) MUST_USE;
void claims_release(struct claims *c);

/*
 * The smallest true difference that this comparison would have been confirmed for with probability
 * VERDICT_POWER, given its seeds, their deviation, and the level of its claim; NAN if untested.
 */
double claim_detectable(const struct claim *c, const struct difference *d);

#endif
