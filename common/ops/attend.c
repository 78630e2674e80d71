/*
 * attend: context = dropout(softmax(scale q k')) v, for one sentence and head at a time, so that
 * the data stays in the cache.  With a table, the scores have a bias by distance.
 *
 * The result equals op_context(op_dropout(op_softmax(op_scores()))), including masks, with
 * op_distance_bias() after op_scores().  The weights before dropout are saved, for the backward
 * pass and for analysis.
 */
#include "base/err.h"
#include "ops/kit/buckets.h"
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
struct distance_bias;
struct attend {
	const struct layout *queries, *keys;
	int heads;
	real scale, p;
	bool causal;
};
#endif

/* `bias`: with a table, which is then the fourth input. */
struct attend_arg { struct attend attend; struct distance_bias bias; };

static const struct distance_bias *
attend_bias(const struct node *n)
{
	return n->n_in == 4 ? &((const struct attend_arg *)n->arg)->bias : NULL;
}

static void
attend_infer(struct node *n, struct arena *mem)
{
	const struct attend *a = n->arg;
	const struct node *q = n->in[0], *k = n->in[1], *v = n->in[2];

	(void)mem;
	if (q->n_dim != 2 || k->n_dim != 2 || v->n_dim != 2 || q->d[1] != k->d[1] ||
	    q->d[1] % a->heads ||
	    v->d[1] % a->heads || k->d[0] != v->d[0] || a->queries->n != a->keys->n)
		bug_shapes(n);
	if (attend_bias(n) && !buckets_fit(attend_bias(n), n->in[3], a->heads))
		bug_shapes(n);
	n->n_dim = 2;
	n->d[0] = q->d[0];
	n->d[1] = v->d[1];
	n->rows = a->queries;
}

/* Saved data: the offset of each sentence's block, then the weights. */
static size_t
blocks_size(const struct attend *a)
{
	return ((size_t)a->queries->n + 1) * sizeof(ptrdiff_t) / 64 * 64 + 64;
}

static size_t
attend_saved(const struct node *n)
{
	const struct attend *a = n->arg;
	size_t size = 0;

	for (int i = 0; i < a->queries->n; i++)
		size += (size_t)a->heads * (size_t)a->queries->len[i] * (size_t)a->keys->len[i];
	return blocks_size(a) + size * sizeof(real);
}

struct attend_job {
	struct node *n;
	const struct attend *a;
	const ptrdiff_t *block;
	real *weights;
	struct dropout d;
	struct buckets buckets;
	real *dq, *dk, *dv, beta_q, beta_k, beta_v;
	struct share share;
	bool constant, taylor;		/* taylor: by AttnLRP */
	int d_qk, d_v;			/* of a head */
	int planes;
};

static struct attend_job
job_of(struct node *n, const struct pass *p, bool random)
{
	const struct attend *a = n->arg;
	struct attend_job j = { .n = n, .a = a, .block = n->saved };

	j.weights = (real *)(void *)((char *)n->saved + blocks_size(a));
	j.d_qk = n->in[0]->d[1] / a->heads;
	j.d_v = n->in[2]->d[1] / a->heads;
	if (attend_bias(n))
		j.buckets = buckets_new(p->scratch, attend_bias(n), n->in[3], a->heads,
					heads_longest_of(a->queries, a->keys));
	dropout_init(&j.d, p->seed, p->step, n->id, random && p->training ? (double)a->p : 0);
	return j;
}

static struct head
attend_head_of(const struct attend_job *j, int i, int h)
{
	struct node *q = j->n->in[0], *k = j->n->in[1], *v = j->n->in[2];
	const struct attend *a = j->a;

	return (struct head){
		.T = a->queries->len[i], .S = a->keys->len[i], .d = j->d_qk, .d_v = j->d_v,
		.scale = a->scale, .causal = a->causal, .bias = buckets_of_head(&j->buckets, h),
		.q = heads_at(q->x, q->ld, a->queries, i, h, j->d_qk), .ldq = q->ld,
		.k = heads_at(k->x, k->ld, a->keys, i, h, j->d_qk), .ldk = k->ld,
		.v = heads_at(v->x, v->ld, a->keys, i, h, j->d_v), .ldv = v->ld,
	};
}

static real *
attend_weights_of(const struct attend_job *j, int i, int h)
{
	return j->weights + j->block[i] + (ptrdiff_t)h * j->a->queries->len[i] * j->a->keys->len[i];
}

/*
 * Scratch memory of a thread: the matrices of one head, the dropout masks of all heads, and the
 * gradients of a head's biases.
 */
static size_t
room_for_head(const struct attend_job *j, int T, int S)
{
	return k_attention_room(T, S, j->d_qk > j->d_v ? j->d_qk : j->d_v);
}

static size_t
room_needed(const struct attend_job *j)
{
	int T = heads_longest(j->a->queries), S = heads_longest(j->a->keys);

	return room_for_head(j, T, S) +
	       (j->d.threshold ? (size_t)T * (size_t)(j->a->heads * S) : 0);
}

/* The size of the gradients of a head's biases. */
static size_t
room_for_biases(const struct attend_job *j)
{
	return j->buckets.part ? 2 * (size_t)j->buckets.reach + 1 : 0;
}

/* The mask of head 0; that of head h begins h S elements later. */
static struct head_mask
make_masks(const struct attend_job *j, int i, real *room)
{
	const struct layout *q = j->a->queries;
	int T = q->len[i], S = j->a->keys->len[i], width = j->a->heads * S;
	real *mask = room + room_for_head(j, T, S);

	if (!j->d.threshold)
		return (struct head_mask){ NULL, 0 };
	for (int t = 0; t < T; t++) {
		int row = q->start[i] + t;

		k_dropout_mask(&j->d, q->key ? q->key[row] : (uint32_t)row, width,
			       mask + (ptrdiff_t)t * width);
	}
	return (struct head_mask){ mask, width };
}

/* What the head after head h of sentence i reads; grad: the gradient of n, or NULL. */
static struct ahead
ahead_of(const struct attend_job *j, int i, int h, real *grad)
{
	const struct attend *a = j->a;
	struct head x;

	if (++h == a->heads)
		h = 0, i++;
	if (i == a->queries->n)
		return (struct ahead){ .n = 0 };
	x = attend_head_of(j, i, h);
	return (struct ahead){ {
		{ x.q, x.ldq, x.T, x.d }, { x.k, x.ldk, x.S, x.d }, { x.v, x.ldv, x.S, x.d_v },
		{ attend_weights_of(j, i, h), 0, 1, x.T * x.S },
		{ heads_at(grad, j->n->ld, a->queries, i, h, j->d_v), j->n->ld, x.T, x.d_v },
	}, grad ? 5 : 3 };
}

static void
attend_forward_one(void *arg, int i, real *room)
{
	const struct attend_job *j = arg;
	struct node *n = j->n;
	struct head_mask mask = make_masks(j, i, room);

	for (int h = 0; h < j->a->heads; h++) {
		const struct ahead next = ahead_of(j, i, h, NULL);
		struct head head = attend_head_of(j, i, h);

		head.ahead = &next;
		k_attend(&head, mask, attend_weights_of(j, i, h),
			 heads_at(n->x, n->ld, j->a->queries, i, h, j->d_v), n->ld, room);
		if (mask.m)
			mask.m += head.S;
	}
}

static void
attend_forward(struct node *n, struct pass *p)
{
	struct attend_job j = job_of(n, p, true);

	heads_offsets(j.a->queries, j.a->keys, j.a->heads, n->saved);
	if (layout_used(j.a->queries) != n->d[0])
		k_zero(node_size(n), n->x);
	heads_run(p, j.a->queries->n, room_needed(&j), attend_forward_one, &j);
}

static void
attend_gradient_one(void *arg, int i, real *room)
{
	const struct attend_job *j = arg;
	struct node *n = j->n, *q = n->in[0], *k = n->in[1], *v = n->in[2];
	const struct attend *a = j->a;
	struct head_mask mask = make_masks(j, i, room);
	real *biases = room + room_needed(j);

	for (int h = 0; h < a->heads; h++) {
		const struct ahead next = ahead_of(j, i, h, n->grad);
		struct head head = attend_head_of(j, i, h);
		struct head_back to = {
			heads_at(j->dq, q->ld, a->queries, i, h, j->d_qk),
			heads_at(j->dk, k->ld, a->keys, i, h, j->d_qk),
			heads_at(j->dv, v->ld, a->keys, i, h, j->d_v), j->beta_q, j->beta_k,
			j->beta_v, j->buckets.part ? biases + j->buckets.reach : NULL,
		};

		head.ahead = &next;
		if (to.bias)
			k_zero(room_for_biases(j), biases);
		k_attend_back(&head, mask, attend_weights_of(j, i, h),
			      heads_at(n->grad, n->ld, a->queries, i, h, j->d_v),
			      n->ld, &to, room);
		if (to.bias)
			buckets_collect(&j->buckets, i, h, biases);
		if (mask.m)
			mask.m += head.S;
	}
}

static void
attend_gradient(struct node *n, struct pass *p)
{
	struct attend_job j = job_of(n, p, true);
	real *g[3], beta[3];

	if (layout_used(j.a->queries) == n->d[0] && layout_used(j.a->keys) == n->in[1]->d[0])
		grads_of_whole(p, 3, n->in, g, beta);
	else
		for (int i = 0; i < 3; i++)
			g[i] = grad_of(p, n->in[i], &beta[i]);
	j.dq = g[0], j.beta_q = beta[0];
	j.dk = g[1], j.beta_k = beta[1];
	j.dv = g[2], j.beta_v = beta[2];
	if (j.buckets.bias)
		buckets_begin(&j.buckets, p, j.a->queries->n);
	heads_run(p, j.a->queries->n, room_needed(&j) + room_for_biases(&j), attend_gradient_one,
		  &j);
	buckets_end(&j.buckets, p, j.a->queries->n);
}

static void
attend_relevance_one(void *arg, int i, real *room)
{
	const struct attend_job *j = arg;
	struct node *n = j->n, *q = n->in[0], *k = n->in[1], *v = n->in[2];
	const struct attend *a = j->a;

	for (int h = 0; h < a->heads; h++) {
		const struct core c = {
			.h = attend_head_of(j, i, h), .weights = attend_weights_of(j, i, h),
			.constant = j->constant, .planes = j->planes,
			.rel = heads_at(n->rel, n->ld, a->queries, i, h, j->d_v), .ld = n->ld,
			.step = rel_step(n),
			.q = heads_at(j->dq, q->ld, a->queries, i, h, j->d_v),
			.step_q = rel_step(q),
			.k = heads_at(j->dk, k->ld, a->keys, i, h, j->d_v), .step_k = rel_step(k),
			.v = heads_at(j->dv, v->ld, a->keys, i, h, j->d_v), .step_v = rel_step(v),
		};

		if (j->taylor)
			k_attnlrp(&c, &j->share, room);
		else
			k_core(&c, &j->share, room);
	}
}

static void
attend_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct attend_job j = job_of(n, p, false);
	size_t room;
	int longest;

	if (j.d_qk != j.d_v)
		bug("relevance of attention with keys of width %d and values of width %d",
		    j.d_qk, j.d_v);
	j.dq = rel_of(p, n->in[0]);
	j.dk = rel_of(p, n->in[1]);
	j.dv = rel_of(p, n->in[2]);
	j.share = lrp_share(lrp);
	j.constant = lrp->attention_constant;
	j.taylor = lrp->rule == LRP_ATTNLRP;
	j.planes = rel_planes(p);
	if (!j.dq || !j.dk || !j.dv)
		return;
	longest = heads_longest(j.a->keys);
	room = j.taylor ? k_attnlrp_room(longest, j.d_v, j.planes)
			: k_core_room(longest, j.d_v, j.planes);
	heads_run(p, j.a->queries->n, room, attend_relevance_one, &j);
}

static struct node *
case_attend_cross(struct case_bench *b)
{
	const struct layout *q = case_layout(b, CASE_TARGET), *k = case_layout(b, CASE_SOURCE);
	struct attend a = { q, k, 2, (real)0.5, (real)0.3, false };

	return op_attention(case_tape(b), case_rows(b, q, 8), case_rows(b, k, 8),
			    case_rows(b, k, 8), &a);
}

/* Three views of a computed node, of d columns each; the keys begin at d, the values at first. */
static struct node *
attend_views(struct case_bench *b, const struct attend *a, int width, int d, int first)
{
	struct tape *t = case_tape(b);
	struct node *x = op_scale(t, case_rows(b, a->keys, width), (real)0.5);

	return op_attention(t, op_columns(t, x, 0, d), op_columns(t, x, d, d),
			    op_columns(t, x, first, d), a);
}

static struct node *
case_attend_self(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_TARGET);

	return attend_views(b, &(struct attend){ l, l, 1, (real)0.7, 0, true }, 51, 17, 34);
}

static struct node *
case_overlap(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);

	return attend_views(b, &(struct attend){ l, l, 2, (real)0.7, 0, false }, 11, 4, 6);
}

static struct node *
case_all_one(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct attend a = { l, l, 2, 1, (real)0.2, false };
	struct node *x = case_rows(b, l, 4);

	return op_attention(case_tape(b), x, x, x, &a);
}

static const int case_attend_heads[] = { 2, 0 };

static struct node *
case_attend_biased(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);
	const struct attend a = { l, l, 2, (real)0.6, (real)0.3, false };
	struct node *x = case_rows(b, l, 8);

	return op_attention_biased(case_tape(b), x, x, case_rows(b, l, 8), case_param(b, 2, 3, 8),
				   &a, &(struct distance_bias){ 5, true, case_attend_heads });
}

static struct node *
case_attend_biased_causal(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_TARGET);
	const struct attend a = { l, l, 2, 1, 0, true };

	return op_attention_biased(case_tape(b), case_rows(b, l, 6), case_rows(b, l, 6),
				   case_rows(b, l, 6), case_param(b, 2, 2, 4), &a,
				   &(struct distance_bias){ 4, false, NULL });
}

static const struct op_case cases[] = {
	{ "cross-attention, dropout", case_attend_cross, 0 },
	{ "causal, views of a computed node", case_attend_self, 0 },
	{ "views that overlap, and do not show all columns", case_overlap, 0 },
	{ "queries, keys and values from one node", case_all_one, 0 },
	{ "biases by distance, dropout", case_attend_biased, 0 },
	{ "causal, biases by distance", case_attend_biased_causal, 0 },
	{ 0 }
};

const struct op ops_attend = {
	.name = "attend",
	.formula = "y = dropout(softmax(scale q k' + biases by distance)) v",
	.flags = OP_RANDOM | OP_PLANES | OP_REPLACED,
	.infer = attend_infer,
	.saved = attend_saved,
	.forward = attend_forward,
	.gradient = attend_gradient,
	.relevance = attend_relevance,
	.cases = cases,
};

/*
 * Fused attention with op_distance_bias() of the scores: context = dropout(softmax(scale q k' +
 * bias)) v.  Saves the weights before dropout.  `table` is that of op_distance_bias(); if it is
 * NULL, there is no bias, and `bias` is not read.
 */
struct node *
op_attention_biased(struct tape *t, struct node *q, struct node *k, struct node *v,
		    struct node *table, const struct attend *a, const struct distance_bias *bias)
{
	struct attend_arg arg = { .attend = *a };

	if (table)
		arg.bias = *bias;
	return tape_apply(t, &ops_attend, table ? 4 : 3, (struct node *[]){ q, k, v, table }, &arg,
			  sizeof(arg));
}

/* The same without a bias. */
struct node *
op_attention(struct tape *t, struct node *q, struct node *k, struct node *v, const struct attend *a)
{
	return op_attention_biased(t, q, k, v, NULL, a, NULL);
}

/* The saved weights of an op_attention() node, blocks laid out as the result of op_softmax(). */
const real *
op_attention_weights(const struct node *n, const ptrdiff_t **block)
{
	if (block)
		*block = n->saved;
	return (const real *)(const void *)((const char *)n->saved + blocks_size(n->arg));
}
