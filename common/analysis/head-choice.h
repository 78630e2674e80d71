/*
 * head-choice: which heads of a model to remove: those of a list, those with the worst values in a
 * stream, random ones, or those whose gates are below one half.
 */
#ifndef HEAD_CHOICE_H
#define HEAD_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/head-table.h"
#include "model/model.h"

struct head_choice {
	const struct model *m;
	int kind;			/* remove only heads of this kind of site; -1: of all */
	size_t n;			/* heads of all sites */
	bool *remove;			/* [n] the heads to remove, ordered by site as `head` */
	double *gate;			/* [n] factor of the head output, the product of the gates
					 * of all variants; 1 without gates */
	double *unrounded;		/* [n] the same, before variants rounded their gates */
	bool gated;			/* a variant of the model has gates */
	struct rounding rounding;	/* set by head_choice_by_gates() */
	struct head_candidate {
		const struct site *site;
		int number;		/* of the head at the site, from 1 */
		double rank;		/* heads with the lowest ranks are retained */
		bool gated;
	} *head;			/* [n] private, ordered by site */
};

/*
 * Overwrites c, and begins with no head to remove; `kind` is the member above.  m must outlive the
 * choice.
 */
void head_choice_init(struct head_choice *c, const struct model *m, int kind);
void head_choice_release(struct head_choice *c);

/* Rounds gates: heads with a gate below 1/2 are removed, the gates of the others become 1. */
void head_choice_by_gates(struct head_choice *c);
/*
 * Retains the n_kept heads with the highest values of a measure, or the lowest; of equal values,
 * the first.  The measure "layer" is the number of the layer.  The table may have other heads too,
 * such as heads that were removed before; heads of the model that it lacks are added to it without
 * values.  Returns -1 with EXIT_INPUT if the measure is missing or a head lacks it, EXIT_USAGE if
 * there are fewer heads; `name` is the name of the table, for the message.
 */
int head_choice_by(struct head_choice *c, struct head_table *t, const char *measure, bool lowest,
		   int64_t n_kept, const char *name, struct err *e) MUST_USE;
/* Retains `n_kept` random heads; all sets of this size are equally likely. */
int head_choice_at_random(struct head_choice *c, uint64_t seed, int64_t n_kept,
			  struct err *e) MUST_USE;

/*
 * Counts the retained heads whose gates model_prune() folds into the output projection, because
 * they are not 1.
 */
struct rounding head_choice_folded(const struct head_choice *c);

#endif
