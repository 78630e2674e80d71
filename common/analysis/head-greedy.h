/*
 * head-greedy: the order in which greedy search masks the heads of a model.
 *
 * All heads are masked one after another, each time the head without which the loss of the sample
 * is lowest (head-search.h).  A measure that is computed head by head does not see that heads can
 * replace each other.  This order does, and so shows how well a measure could prune.
 */
#ifndef HEAD_GREEDY_H
#define HEAD_GREEDY_H

#include "analysis/head-search.h"
#include "analysis/head-table.h"

struct head_greedy {
	struct model *m;		/* the caller's */
	struct head_search search;
};

/*
 * Begins a search by head_search_begin(), next to other measures of m.  t is the tape of the other
 * passes.
 */
void head_greedy_begin(struct head_greedy *g, struct model *m, struct tape *t);
void head_greedy_release(struct head_greedy *g);	/* accepts a struct of zeros */

/*
 * Searches, after head_search_add(): n (n + 1) / 2 passes for n heads.  Unless `done` is NULL, it
 * is called with the number of passes so far.  Returns -1 as head_search_run().
 */
int head_greedy_run(struct head_greedy *g, head_losses_done *done, void *arg,
		    struct err *e) MUST_USE;
/* The number of these passes. */
int64_t head_greedy_passes(const struct head_greedy *g);
/* Fills the column "greedy": 1 for the head that is masked first, 2 for the next. */
void head_greedy_fill(const struct head_greedy *g, struct head_table *t);

#endif
