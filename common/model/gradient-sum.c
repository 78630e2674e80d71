/* gradient-sum: see gradient-sum.h. */
#include "model/gradient-sum.h"

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
		for (size_t k = q->at / g->piece; k <= (q->at + q->n - 1) / g->piece; k++)
			g->parts[k]++;
	}
}

void
gradient_sum_init(struct gradient_sum *g, const struct params *p, struct ranks *r, size_t piece)
{
	memset(g, 0, sizeof(*g));
	if (r->n == 1)
		return;
	g->ranks = r;
	g->params = p;
	g->piece = piece;
	g->n = (p->total + piece - 1) / piece;
	g->parts = xcalloc(g->n, sizeof(*g->parts));
	g->left = xcalloc(g->n, sizeof(*g->left));
	g->turn = xcalloc(g->n, sizeof(*g->turn));
	g->seen = xcalloc(g->n, sizeof(*g->seen));
	count_parts(g);
	for (size_t k = g->n; k-- > 0;)
		if (g->parts[k])
			g->turn[g->n_turns++] = (uint32_t)k;
}

void
gradient_sum_release(struct gradient_sum *g)
{
	free(g->parts);
	free(g->left);
	free(g->turn);
	free(g->seen);
	memset(g, 0, sizeof(*g));
}

static void
send_next(struct gradient_sum *g)
{
	size_t k = g->turn[g->sent++], at = k * g->piece, n = g->params->total - at;

	ranks_add(g->ranks, g->params->grad + at, n < g->piece ? n : g->piece, (int)(k % (size_t)g->ranks->n));
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
	for (size_t k = at / g->piece; k <= (at + node_size(leaf) - 1) / g->piece; k++)
		if (!--g->left[k])
			g->seen[g->n_seen++] = (uint32_t)k;
	while (g->sent < g->n_turns && !g->left[g->turn[g->sent]])
		send_next(g);
	ranks_progress(g->ranks);
}

void
gradient_sum_begin(struct gradient_sum *g, struct tape *t)
{
	if (!g->ranks)
		return;
	memcpy(g->left, g->parts, g->n * sizeof(*g->left));
	g->sent = g->n_seen = 0;
	tape_final_with(t, leaf_is_final, g);
}

/* Rank 0's order for all; pieces that it never saw final come last, as they did. */
static void
learn(struct gradient_sum *g)
{
	for (size_t i = 0; i < g->n_turns; i++)
		if (g->left[g->turn[i]])
			g->seen[g->n_seen++] = g->turn[i];
	ranks_broadcast(g->ranks, 0, g->seen, g->n_turns * sizeof(*g->seen));
	memcpy(g->turn, g->seen, g->n_turns * sizeof(*g->turn));
	g->learnt = true;
}

void
gradient_sum_end(struct gradient_sum *g, struct tape *t)
{
	if (!g->ranks)
		return;
	tape_final_with(t, NULL, NULL);
	while (g->sent < g->n_turns)
		send_next(g);
	ranks_finish(g->ranks);
	if (!g->learnt)
		learn(g);
}
