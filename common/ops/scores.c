/* scores: scale q k' for each sentence and head; -inf for later keys if causal. */
#include <string.h>

#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
struct head;
#endif

struct scores_arg { real scale; bool causal; const struct layout *queries, *keys; int heads; };

static void
scores_infer(struct node *n, struct arena *mem)
{
	const struct scores_arg *a = n->arg;
	const struct node *q = n->in[0], *k = n->in[1];

	if (q->n_dim != 2 || k->n_dim != 2 || q->d[1] != k->d[1] || q->d[1] % a->heads ||
	    a->queries->n != a->keys->n)
		bug_shapes(n);
	n->queries = a->queries;
	n->keys = a->keys;
	n->heads = a->heads;
	n->block = heads_blocks(a->queries, a->keys, a->heads, mem);
	n->n_dim = 1;
	n->d[0] = (int)n->block[a->queries->n];
}

struct scores_job { struct node *n; real *dq, *dk, beta_q, beta_k; struct share share; };

/* The queries and keys of a sentence and head of op_scores() (tensor/kernels.h). */
struct head
op_scores_head(const struct node *scores, int sentence, int head)
{
	const struct scores_arg *a = scores->arg;
	struct node *q = scores->in[0], *k = scores->in[1];
	int d = q->d[1] / scores->heads;

	return (struct head){
		.T = scores->queries->len[sentence], .S = scores->keys->len[sentence],
		.d = d, .scale = a->scale, .causal = a->causal,
		.q = heads_at(q->x, q->ld, scores->queries, sentence, head, d), .ldq = q->ld,
		.k = heads_at(k->x, k->ld, scores->keys, sentence, head, d), .ldk = k->ld,
	};
}

static void
scores_forward_one(void *arg, int i, real *room)
{
	struct node *n = arg;

	for (int h = 0; h < n->heads; h++) {
		struct head head = op_scores_head(n, i, h);

		k_attention_scores(&head, n->x + heads_block(n, i, h), room);
	}
}

static size_t
room(const struct node *n)
{
	return k_attention_room(heads_longest(n->queries), heads_longest(n->keys),
				n->in[0]->d[1] / n->heads);
}

static void
scores_forward(struct node *n, struct pass *p)
{
	heads_run(p, n->queries->n, room(n), scores_forward_one, n);
}

static void
scores_gradient_one(void *arg, int i, real *unused)
{
	const struct scores_job *j = arg;
	struct node *n = j->n, *q = n->in[0], *k = n->in[1];
	int d = q->d[1] / n->heads;

	(void)unused;
	if (j->dq && j->beta_q == 0)
		heads_clear(j->dq, q->ld, n->queries, i, q->d[1]);
	if (j->dk && j->beta_k == 0)
		heads_clear(j->dk, k->ld, n->keys, i, k->d[1]);
	for (int h = 0; h < n->heads; h++) {
		struct head head = op_scores_head(n, i, h);

		k_attention_scores_back(&head, n->grad + heads_block(n, i, h),
					heads_at(j->dq, q->ld, n->queries, i, h, d),
					heads_at(j->dk, k->ld, n->keys, i, h, d));
	}
}

static void
scores_gradient(struct node *n, struct pass *p)
{
	struct scores_job j = { .n = n };

	j.dq = grad_of(p, n->in[0], &j.beta_q);
	j.dk = grad_of(p, n->in[1], &j.beta_k);
	heads_run(p, n->queries->n, 1, scores_gradient_one, &j);
}

/*
 * A score is a sum of products of two activations: each factor contributes the whole, and gets
 * half.
 */
static void
relevance_pair(const struct head *h, const struct share *s, int t, int k, real rel, real *rq,
	       real *rk, real *room)
{
	const real *x = h->q + t * h->ldq, *y = h->k + k * h->ldk;

	memset(room, 0, (size_t)h->d * sizeof(*room));
	k_share(s, h->d, y, x, 0, rel, room);
	for (int e = 0; e < h->d; e++) {
		rq[t * h->ldq + e] += room[e] / 2;
		rk[k * h->ldk + e] += room[e] / 2;
	}
}

static void
scores_relevance_one(void *arg, int i, real *space)
{
	const struct scores_job *j = arg;
	struct node *n = j->n, *q = n->in[0], *k = n->in[1];
	int d = q->d[1] / n->heads;

	for (int h = 0; h < n->heads; h++) {
		struct head head = op_scores_head(n, i, h);
		const real *rel = n->rel + heads_block(n, i, h);

		for (int t = 0; t < head.T; t++)
			for (int s = 0; s < head.S; s++)
				if (rel[(ptrdiff_t)t * head.S + s] != 0)
					relevance_pair(&head, &j->share, t, s,
						       rel[(ptrdiff_t)t * head.S + s],
						       heads_at(j->dq, q->ld, n->queries, i, h, d),
						       heads_at(j->dk, k->ld, n->keys, i, h, d),
						       space);
	}
}

static void
scores_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct scores_job j = { .n = n, .dq = rel_of(p, n->in[0]), .dk = rel_of(p, n->in[1]),
				.share = lrp_share(lrp) };

	if (j.dq && j.dk && !lrp->attention_constant)
		heads_run(p, n->queries->n, (size_t)n->in[0]->d[1], scores_relevance_one, &j);
}

static struct node *
case_scores_cross(struct case_bench *b)
{
	const struct layout *q = case_layout(b, CASE_TARGET), *k = case_layout(b, CASE_SOURCE);

	return op_scores(case_tape(b), case_rows(b, q, 6), case_rows(b, k, 6), q, k, 2, (real)0.7,
			 false);
}

static struct node *
case_scores_causal(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_TARGET);
	struct node *x = case_rows(b, l, 40);
	struct node *s = op_scores(t, op_columns(t, x, 0, 20), op_columns(t, x, 20, 20), l, l, 1,
				   (real)0.5, true);

	return op_softmax(t, s);
}

static struct node *
case_itself(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *x = case_rows(b, l, 4);

	return op_scores(case_tape(b), x, x, l, l, 2, 1, false);
}

static const struct op_case cases[] = {
	{ "cross-attention", case_scores_cross, 0 },
	{ "causal, views, under a softmax", case_scores_causal, 0 },
	{ "queries equal to keys", case_itself, 0 },
	{ 0 }
};

const struct op ops_scores = {
	.name = "scores",
	.formula = "s = scale q k', -inf for later keys if causal",
	.infer = scores_infer,
	.forward = scores_forward,
	.gradient = scores_gradient,
	.relevance = scores_relevance,
	.cases = cases,
};

/*
 * scale q k', blocks.  With causal, query i of T_i attends to key j of S_i only if
 * j <= i + S_i - T_i, and other scores are -inf; this holds for training and for decoding with a
 * cache.
 */
struct node *
op_scores(struct tape *t, struct node *q, struct node *k, const struct layout *queries,
	  const struct layout *keys, int heads, real scale, bool causal)
{
	struct scores_arg a = { scale, causal, queries, keys, heads };

	return tape_apply(t, &ops_scores, 2, (struct node *[]){ q, k }, &a, sizeof(a));
}
