/*
 * head-choice: chooses the heads of a model to remove: all but those with the best values of a
 * measure, all but random ones, those whose gates are below one half, or any that the caller marks.
 *
 * Arrays [n] have the order of attention/attention-heads.h: the retained heads of the first site
 * (attention layer), then those of the second, and so on.  A head is marked for removal if its
 * element of the member `remove` is true.
 */
#ifndef HEAD_CHOICE_H
#define HEAD_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/head-table.h"
#include "model/model.h"

struct head_choice {
	const struct model *m;
	int kind;			/* remove only heads at sites of this kind (enum
					 * site_where); -1: at any site */
	size_t n;			/* number of heads at all sites */
	bool *remove;			/* [n] which heads to remove; the caller may change the
					 * elements */
	double *gate;			/* [n] factor of the head output: the product of the gates
					 * of all attention variants; 1 without gates */
	double *unrounded;		/* [n] the same, before variants rounded their gates */
	bool gated;			/* an attention variant of the model has gates */
	struct rounding rounding;	/* counts of what head_choice_by_gates() rounded
					 * (model/model.h) */
	struct head_candidate {
		const struct site *site;
		int number;		/* of the head at the site before pruning, from 1 */
		double rank;		/* heads with the lowest ranks are retained */
		bool gated;
	} *head;			/* [n] private, ordered by site */
};

/*
 * Overwrites *c, and begins with no head to remove; `kind` is the member of struct head_choice.
 * `m` must outlive `c`.
 */
void head_choice_init(struct head_choice *c, const struct model *m, int kind);
void head_choice_release(struct head_choice *c);

/*
 * Rounds gates: marks heads with a gate below 1/2 for removal, and sets c->gate of all heads to 1.
 * Heads at sites of another kind than c->kind keep their gates.
 */
void head_choice_by_gates(struct head_choice *c);
/*
 * Marks all heads for removal but the `n_kept` heads with the highest values of a measure or, if
 * `lowest` is true, with the lowest values.  Of heads with equal values, the first ones are
 * retained.  `measure` is the name of a column of the table, or "layer" for the number of the
 * layer.  Heads of the table that the model does not have, such as heads removed before, are
 * ignored.  Heads of the model that the table does not have are added to the table without values.
 * Returns -1 with EXIT_INPUT if the column is missing or a head has no value, and with EXIT_USAGE
 * if `n_kept` is larger than the number of heads that may be removed.  `name` is the name of the
 * table, for messages.
 */
int head_choice_by(struct head_choice *c, struct head_table *t, const char *measure, bool lowest,
		   int64_t n_kept, const char *name, struct err *e) MUST_USE;
/*
 * Marks all heads for removal but `n_kept` random ones; all sets of this size are equally likely.
 * Returns -1 with EXIT_USAGE if `n_kept` is larger than the number of heads that may be removed.
 */
int head_choice_at_random(struct head_choice *c, uint64_t seed, int64_t n_kept,
			  struct err *e) MUST_USE;

/*
 * Counts the retained heads whose gates are not 1, with the range of the gates between 0 and 1.
 * model_prune() multiplies these gates into the output projection.
 */
struct rounding head_choice_folded(const struct head_choice *c);

#endif
