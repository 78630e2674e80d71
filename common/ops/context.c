/* context: weights v, for each sentence and head. */
#include <string.h>

#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

static void
context_infer(struct node *n, struct arena *mem)
{
	const struct node *w = n->in[0], *v = n->in[1];

	(void)mem;
	if (!w->block || v->n_dim != 2 || v->d[1] % w->heads || v->d[0] != w->keys->rows)
		bug_shapes(n);
	n->n_dim = 2;
	n->d[0] = w->queries->rows;
	n->d[1] = v->d[1];
	n->rows = w->queries;
}

struct context_job { struct node *n; real *dw, *dv, beta_w, beta_v; };

static struct head
context_head_of(const struct node *n, int i, int h)
{
	struct node *w = n->in[0], *v = n->in[1];
	int d = v->d[1] / w->heads;

	return (struct head){
		.T = w->queries->len[i], .S = w->keys->len[i], .d = d,
		.v = heads_at(v->x, v->ld, w->keys, i, h, d), .ldv = v->ld,
	};
}

static void
context_forward_one(void *arg, int i, real *room)
{
	struct node *n = arg;
	const struct node *w = n->in[0];

	(void)room;
	for (int h = 0; h < w->heads; h++) {
		struct head head = context_head_of(n, i, h);

		k_attention_context(&head, w->x + heads_block(w, i, h),
				    heads_at(n->x, n->ld, w->queries, i, h, head.d), n->ld);
	}
}

static void
context_forward(struct node *n, struct pass *p)
{
	const struct layout *q = n->in[0]->queries;

	if (layout_used(q) != q->rows)
		k_zero(node_size(n), n->x);
	heads_run(p, q->n, 1, context_forward_one, n);
}

static void
add_into(size_t n, const real *x, real beta, real *y)
{
	k_axpby(n, 1, x, beta, y);
}

static void
context_gradient_one(void *arg, int i, real *room)
{
	const struct context_job *j = arg;
	struct node *n = j->n, *w = n->in[0], *v = n->in[1];

	if (j->dv && j->beta_v == 0)
		heads_clear(j->dv, v->ld, w->keys, i, v->d[1]);
	for (int h = 0; h < w->heads; h++) {
		struct head head = context_head_of(n, i, h);
		size_t block = (size_t)head.T * (size_t)head.S;
		real *dw = room + k_attention_room(head.T, head.S, head.d);

		k_attention_context_back(&head, w->x + heads_block(w, i, h),
					 heads_at(n->grad, n->ld, w->queries, i, h, head.d),
					 n->ld, j->dw ? dw : NULL,
					 heads_at(j->dv, v->ld, w->keys, i, h, head.d), room);
		if (j->dw)
			add_into(block, dw, j->beta_w, j->dw + heads_block(w, i, h));
	}
}

static void
context_gradient(struct node *n, struct pass *p)
{
	const struct node *w = n->in[0];
	struct context_job j = { .n = n };
	int T = heads_longest(w->queries), S = heads_longest(w->keys);

	j.dw = grad_of(p, n->in[0], &j.beta_w);
	j.dv = grad_of(p, n->in[1], &j.beta_v);
	heads_run(p, w->queries->n,
		  k_attention_room(T, S, n->d[1] / w->heads) + (size_t)T * (size_t)S,
		  context_gradient_one,
		  &j);
}

struct tracing {
	struct node *n, *scores;	/* the op_scores() node for joint relevance, else NULL */
	real *w, *v, *q, *k;
	struct share share;
	int planes;
	const unsigned char *fixed;	/* [heads] the patterns of op_fixed_weights(), or NULL */
	bool all_constant, constant;	/* the weights of all heads, of this head */
};

/*
 * Weights and values each contribute the whole product, so each gets half of the relevance.  With
 * constant weights the values get all of it.
 */
static void
trace_number(const struct tracing *t, const struct share *share, const struct head *h,
	     const real *a, int c,
	     real rel, real *ra, real *rv, real *room)
{
	int S = h->S;
	real part = t->constant ? 1 : (real)0.5, *v = room, *r = room + S;

	for (int s = 0; s < S; s++)
		v[s] = h->v[s * h->ldv + c];
	memset(r, 0, (size_t)S * sizeof(*r));
	k_share(share, S, a, v, 0, rel, r);
	for (int s = 0; s < S; s++) {
		rv[s * h->ldv + c] += part * r[s];
		if (!t->constant)
			ra[s] += part * r[s];
	}
}

static void
trace_head(const struct tracing *t, int i, int h, int plane, real *room)
{
	const struct node *n = t->n, *w = n->in[0], *v = n->in[1];
	const struct head head = context_head_of(n, i, h);
	const real *rel = heads_at(n->rel, n->ld, w->queries, i, h, head.d) + plane * rel_step(n);
	real *rv = heads_at(t->v, v->ld, w->keys, i, h, head.d) + plane * rel_step(v);
	real *rw = t->w + plane * rel_step(w) + heads_block(w, i, h);
	const real *weights = w->x + heads_block(w, i, h);
	const struct share share = k_share_from(&t->share, plane);

	for (ptrdiff_t k = 0; k < head.T; k++)
		for (int c = 0; c < head.d; c++)
			if (rel[k * n->ld + c] != 0)
				trace_number(t, &share, &head, weights + k * head.S, c,
					     rel[k * n->ld + c], rw + k * head.S, rv, room);
}

/* Joint relevance of queries, keys and values of a head, as in op_attention(). */
static void
trace_core(const struct tracing *t, int i, int h, real *room)
{
	const struct node *n = t->n, *w = n->in[0], *v = n->in[1], *q = t->scores->in[0],
		*k = t->scores->in[1];
	const struct head values = context_head_of(n, i, h);
	struct core c = {
		.h = op_scores_head(t->scores, i, h), .weights = w->x + heads_block(w, i, h),
		.constant = t->constant,
		.planes = t->planes, .rel = heads_at(n->rel, n->ld, w->queries, i, h, values.d),
		.ld = n->ld,
		.step = rel_step(n), .step_q = rel_step(q), .step_k = rel_step(k),
		.step_v = rel_step(v),
		.q = heads_at(t->q, q->ld, w->queries, i, h, values.d),
		.k = heads_at(t->k, k->ld, w->keys, i, h, values.d),
		.v = heads_at(t->v, v->ld, w->keys, i, h, values.d),
	};

	c.h.v = values.v;
	c.h.ldv = values.ldv;
	k_core(&c, &t->share, room);
}

static void
context_trace_one(void *arg, int i, real *room)
{
	struct tracing t = *(const struct tracing *)arg;

	for (int h = 0; h < t.n->in[0]->heads; h++) {
		t.constant = t.all_constant || (t.fixed && t.fixed[h] != PATTERN_NONE);
		if (t.scores)
			trace_core(&t, i, h, room);
		for (int p = 0; p < t.planes && !t.scores; p++)
			trace_head(&t, i, h, p, room);
	}
}

extern const struct op ops_scores, ops_softmax, ops_fixed_weights;

/* The patterns of an op_fixed_weights() node between the softmax and the weights, or NULL. */
static const unsigned char *
fixed_under(const struct node *n)
{
	for (; n->op && n->op != &ops_softmax; n = n->in[0])
		if (n->op == &ops_fixed_weights)
			return ((const struct patterns *)n->arg)->of;
	return NULL;
}

/*
 * The op_scores() node from which the weights come, if there is nothing between them but one
 * softmax and ops with OP_SHIFTS; else NULL.
 */
static struct node *
scores_under(struct node *n, bool softmax)
{
	struct node *found = NULL;

	if (!n->op || n->op == &ops_scores)
		return n->op && softmax ? n : NULL;
	if (n->op == &ops_softmax)
		return softmax ? NULL : scores_under(n->in[0], true);
	for (int i = 0; i < n->n_in && n->op->flags & OP_SHIFTS; i++) {
		struct node *s = n->in[i] && n->in[i]->block ? scores_under(n->in[i], softmax)
							     : found;

		if (!s || (found && s != found))
			return NULL;
		found = s;
	}
	return found;
}

static void
context_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct node *w = n->in[0], *v = n->in[1];
	struct tracing t = {
		.n = n, .v = rel_of(p, v),
		.scores = p->training || lrp->rule == LRP_ATTNLRP ? NULL : scores_under(w, false),
		.share = lrp_share(lrp),
		.planes = rel_planes(p), .fixed = fixed_under(w),
		.all_constant = lrp->attention_constant,
	};
	const int S = heads_longest(w->keys), d = n->d[1] / w->heads;

	if (t.scores && t.scores->in[0]->d[1] != v->d[1])
		t.scores = NULL;
	if (t.scores) {
		t.q = rel_of(p, t.scores->in[0]);
		t.k = rel_of(p, t.scores->in[1]);
	} else {
		t.w = rel_of(p, w);
	}
	heads_run(p, w->queries->n, t.scores ? k_core_room(S, d, t.planes) : 2 * (size_t)S,
		  context_trace_one, &t);
}

static struct node *
case_context_cross(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *q = case_layout(b, CASE_TARGET), *k = case_layout(b, CASE_SOURCE);
	struct node *s = op_scores(t, case_rows(b, q, 6), case_rows(b, k, 6), q, k, 2, 1, false);

	return op_context(t, s, case_rows(b, k, 40));
}

static struct node *
case_context_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_TARGET);
	struct node *x = case_rows(b, l, 12);
	struct node *s = op_scores(t, op_columns(t, x, 0, 4), op_columns(t, x, 4, 4), l, l, 2, 1,
				   true);

	return op_context(t, op_softmax(t, s), op_columns(t, x, 8, 4));
}

static const struct op_case cases[] = {
	{ "cross-attention", case_context_cross, 0 },
	{ "a view of values, causal weights", case_context_view, 0 },
	{ 0 }
};

const struct op ops_context = {
	.name = "context",
	.formula = "y = weights v",
	.flags = OP_PLANES,
	.infer = context_infer,
	.forward = context_forward,
	.gradient = context_gradient,
	.relevance = context_relevance,
	.cases = cases,
};

/* weights v: [R,H*d] */
struct node *
op_context(struct tape *t, struct node *weights, struct node *v)
{
	return tape_apply(t, &ops_context, 2, (struct node *[]){ weights, v }, NULL, 0);
}
