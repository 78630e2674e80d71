/*
 * searches: the searches for settings that papers need; only for runs.c.  A search tries options of
 * nmt-train on a column with nmt-search, and runs use the best ones: see struct search in plan.h.
 */
#ifndef PLAN_SEARCHES_H
#define PLAN_SEARCHES_H

#include "plan/plan.h"

/*
 * Adds to p->search the searches whose names the paper's key `searches` lists, each for all of
 * p->columns and paper->sized, with the results that the ledger has.
 */
void add_searches(struct plan *p, const struct paper *paper);
/*
 * Sets `wanted` of the searches that runs of p->runs need, and of the earlier searches on which
 * these depend; and sorts all by name.  Call it once, after all runs have been added.
 */
void mark_searches(struct plan *p);
/* Appends to the list of wanted runs (results/wanted.h) the line of a search. */
void add_search_line(struct plan *p, const struct search *s, struct buf *out);

#endif
