/*
 * head-greedy: the order in which greedy search masks the heads of a model.
 *
 * All heads are masked one after another.  Each step masks the head without which the loss of the
 * sample is lowest (head-search.h).  Measures that are computed for each head alone do not see that
 * heads can replace each other.  The greedy order takes this into account, and thus shows how good
 * the order by a measure could be.
 */
#ifndef HEAD_GREEDY_H
#define HEAD_GREEDY_H

#include "analysis/head-search.h"
#include "analysis/head-table.h"

struct head_greedy {
	struct model *m;		/* the caller's; NULL: not begun */
	struct head_search search;
};

/*
 * Begins a search among all heads of `m` by head_search_begin(), and sets g->m.  `m` and the tape
 * `t` may be used for other measures at the same time; they must outlive `g`.
 */
void head_greedy_begin(struct head_greedy *g, struct model *m, struct tape *t);
void head_greedy_release(struct head_greedy *g);	/* accepts a struct of zeros */

/*
 * Searches, with n (n + 1) / 2 passes over the sample for n heads.  The caller adds the sample
 * before, with head_search_add() on g->search.  Unless `done` is NULL, done() is called with `arg`
 * and the number of passes so far.  Returns -1 as head_search_run().
 */
int head_greedy_run(struct head_greedy *g, head_losses_done *done, void *arg,
		    struct err *e) MUST_USE;
/* The number of passes of head_greedy_run(); 0 if `g` has not been begun. */
int64_t head_greedy_passes(const struct head_greedy *g);
/* Sets the column "greedy" of the table: 1 for the head that is masked first, 2 for the next. */
void head_greedy_fill(const struct head_greedy *g, struct head_table *t);

#endif
