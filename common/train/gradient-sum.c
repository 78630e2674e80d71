/* gradient-sum: see gradient-sum.h. */
#include "train/gradient-sum.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void
count_parts(struct gradient_sum *g)
{
	for (size_t i = 0; i < g->params->n; i++) {
		const struct param *q = g->params->list[i];

		if (q->frozen || !q->n)
			continue;
		for (size_t k = q->at / g->chunk; k <= (q->at + q->n - 1) / g->chunk; k++)
			g->parts[k]++;
	}
}

void
gradient_sum_init(struct gradient_sum *g, const struct params *p, struct ranks *r, size_t chunk)
{
	memset(g, 0, sizeof(*g));
	if (r->n == 1)
		return;
	g->ranks = r;
	g->params = p;
	g->chunk = chunk;
	g->n = (p->total + chunk - 1) / chunk;
	g->parts = xcalloc(g->n, sizeof(*g->parts));
	g->pending = xcalloc(g->n, sizeof(*g->pending));
	g->order = xcalloc(g->n, sizeof(*g->order));
	g->seen = xcalloc(g->n, sizeof(*g->seen));
	count_parts(g);
	for (size_t k = g->n; k-- > 0;)
		if (g->parts[k])
			g->order[g->n_order++] = (uint32_t)k;
}

void
gradient_sum_release(struct gradient_sum *g)
{
	free(g->parts);
	free(g->pending);
	free(g->order);
	free(g->seen);
	free(g->rest);
	free(g->rests);
	memset(g, 0, sizeof(*g));
}

void
gradient_sum_round(struct gradient_sum *g)
{
	if (g->ranks)
		g->rest = xcalloc(g->params->total + 1, sizeof(*g->rest));
}

void
gradient_sum_gather(struct gradient_sum *g)
{
	if (!g->rest)
		return;
	if (!g->rests && !g->ranks->me)
		g->rests = xcalloc((size_t)g->ranks->n * g->params->total + 1, sizeof(*g->rests));
	ranks_gather(g->ranks, g->rest, g->params->total, g->rests);
}

static void
send_next(struct gradient_sum *g)
{
	size_t k = g->order[g->sent++], at = k * g->chunk, n = g->params->total - at;

	ranks_add(g->ranks, g->params->grad + at, g->rest ? g->rest + at : NULL,
		  n < g->chunk ? n : g->chunk, (int)(k % (size_t)g->ranks->n));
}

static void
leaf_is_final(void *arg, const struct node *leaf)
{
	struct gradient_sum *g = arg;
	const real *all = g->params->grad;
	size_t at;

	if (leaf->grad < all || leaf->grad >= all + g->params->total)
		return;
	at = (size_t)(leaf->grad - all);
	for (size_t k = at / g->chunk; k <= (at + node_size(leaf) - 1) / g->chunk; k++)
		if (!--g->pending[k])
			g->seen[g->n_seen++] = (uint32_t)k;
	while (g->sent < g->n_order && !g->pending[g->order[g->sent]])
		send_next(g);
	ranks_progress(g->ranks);
}

void
gradient_sum_begin(struct gradient_sum *g, struct tape *t)
{
	if (!g->ranks)
		return;
	memcpy(g->pending, g->parts, g->n * sizeof(*g->pending));
	g->sent = g->n_seen = 0;
	tape_final_with(t, leaf_is_final, g);
}

/* Adopts rank 0's order; chunks that were not reported final come last, as in its pass. */
static void
adopt_order(struct gradient_sum *g)
{
	for (size_t i = 0; i < g->n_order; i++)
		if (g->pending[g->order[i]])
			g->seen[g->n_seen++] = g->order[i];
	ranks_broadcast(g->ranks, 0, g->seen, g->n_order * sizeof(*g->seen));
	memcpy(g->order, g->seen, g->n_order * sizeof(*g->order));
	g->ordered = true;
}

void
gradient_sum_end(struct gradient_sum *g, struct tape *t)
{
	if (!g->ranks)
		return;
	tape_final_with(t, NULL, NULL);
	while (g->sent < g->n_order)
		send_next(g);
	ranks_finish(g->ranks);
	if (!g->ordered)
		adopt_order(g);
}
