/* head-greedy: see head-greedy.h. */
#include "analysis/head-greedy.h"

#include "attention/attention-heads.h"

void
head_greedy_begin(struct head_greedy *g, struct model *m, struct tape *t)
{
	g->m = m;
	head_search_begin(&g->search, m, t, -1);
}

void
head_greedy_release(struct head_greedy *g)
{
	if (g->m)
		head_search_release(&g->search);
}

int
head_greedy_run(struct head_greedy *g, head_losses_done *done, void *arg, struct err *e)
{
	g->search.done = done;
	g->search.arg = arg;
	return head_search_run(&g->search, SEARCH_GREEDY, 0, e);
}

int64_t
head_greedy_passes(const struct head_greedy *g)
{
	return (int64_t)(g->search.n * (g->search.n + 1) / 2);
}

void
head_greedy_fill(const struct head_greedy *g, struct head_table *t)
{
	for (size_t i = 0; i < g->m->n_sites; i++) {
		const struct site *s = &g->m->sites[i];
		const size_t first = heads_before(g->m->sites, i);

		for (int h = 0; h < s->heads; h++)
			head_table_fill(t, s, s->head[h] + 1, "greedy",
					(double)g->search.place[first + (size_t)h]);
	}
}
