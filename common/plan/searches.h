/* searches: searches for settings, for runs.c; see plan.h. */
#ifndef PLAN_SEARCHES_H
#define PLAN_SEARCHES_H

#include "plan/plan.h"

/* Adds the searches of a paper on all its columns. */
void add_searches(struct plan *p, const struct paper *paper);
/* Marks those that runs need, and sorts all by name. */
void mark_searches(struct plan *p);
/* Appends the line of a search in the list of wanted runs. */
void add_search_line(struct plan *p, const struct search *s, struct buf *out);

#endif
