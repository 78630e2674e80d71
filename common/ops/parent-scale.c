/*
 * parent-scale: multiplies scores by a normal density around the parent of the query.
 *
 * Bugliarello and Okazaki 2020, Enhancing machine translation with dependency-aware self-attention,
 * section 2: the score of key j for a query whose parent is at p is multiplied by N(j; p, sigma^2).
 * In training, the parent is ignored with probability `ignore`, for each query and head; the factor
 * is then 1, as for queries without a parent.  Masked scores remain -inf.
 */
#include <float.h>
#include <math.h>

#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
/* at[row] is the position of the parent among the keys, negative: none; must outlive the tape. */
struct parents { const real *at; real sigma, ignore; int heads; };
#endif

#ifdef REAL_DOUBLE
#define SMALLEST DBL_MIN
#else
#define SMALLEST FLT_MIN
#endif

static const struct parents *
parents_of(const struct node *n)
{
	return n->arg;
}

static void
parent_scale_infer(struct node *n, struct arena *mem)
{
	const struct node *s = n->in[0];

	(void)mem;
	if (!s->block || s->queries != s->keys || parents_of(n)->heads > s->heads)
		bug_shapes(n);
	infer_like(n, s);
}

struct scale_job { const struct node *n; const real *from; real *to, beta; struct dropout ignore; };

/* The factors are above 0, so that -inf remains. */
static void
density(const struct parents *p, real at, int n, real *factor)
{
	const double sigma = (double)p->sigma, top = 1 / (sigma * sqrt(2 * M_PI));

	for (int j = 0; j < n; j++) {
		const double x = (j - (double)at) / sigma, y = top * exp(-x * x / 2);

		factor[j] = (real)(y > (double)SMALLEST ? y : (double)SMALLEST);
	}
}

static void
pass_row(const struct scale_job *j, ptrdiff_t cell, int len, const real *factor)
{
	if (factor)
		k_multiply((size_t)len, j->from + cell, factor, j->beta, j->to + cell);
	else
		k_axpby((size_t)len, 1, j->from + cell, j->beta, j->to + cell);
}

/* room: a factor for each key, then one for each head, 0 if it ignores the parent. */
static void
scale_one(void *arg, int i, real *room)
{
	const struct scale_job *j = arg;
	const struct node *n = j->n;
	const struct parents *p = parents_of(n);
	const struct layout *q = n->queries;
	const int len = q->len[i];
	real *kept = room + len;

	for (int t = 0; t < len; t++) {
		const int row = q->start[i] + t;

		density(p, p->at[row], len, room);
		k_dropout_mask(&j->ignore, q->key ? q->key[row] : (uint32_t)row, n->heads, kept);
		for (int h = 0; h < n->heads; h++) {
			const bool scaled = h < p->heads && p->at[row] >= 0 && kept[h] > 0;

			pass_row(j, n->block[i] + ((ptrdiff_t)h * len + t) * len, len,
				 scaled ? room : NULL);
		}
	}
}

static void
parent_scale_run(struct node *n, struct pass *p, struct scale_job *j)
{
	j->n = n;
	dropout_init(&j->ignore, p->seed, p->step, n->id,
		     p->training ? (double)parents_of(n)->ignore : 0);
	heads_run(p, n->queries->n, (size_t)heads_longest(n->keys) + (size_t)n->heads, scale_one,
		  j);
}

static void
parent_scale_forward(struct node *n, struct pass *p)
{
	parent_scale_run(n, p, &(struct scale_job){ .from = n->in[0]->x, .to = n->x });
}

static void
parent_scale_gradient(struct node *n, struct pass *p)
{
	struct scale_job j = { .from = n->grad };

	j.to = grad_of(p, n->in[0], &j.beta);
	if (j.to)
		parent_scale_run(n, p, &j);
}

/* A parent for most rows, between tokens for some. */
static struct node *
case_parent_scale_of(struct case_bench *b, real ignore, int heads)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	const int *random = case_ints(b, l, 60);
	real *at = ARENA_ARRAY(tape_arena(t), real, l->rows);
	struct node *s = op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 2, 1, false);

	for (int i = 0; i < l->n; i++)
		for (int r = 0; r < l->len[i]; r++) {
			const int x = random[l->start[i] + r];

			at[l->start[i] + r] = x % 4 == 3 ? -1 : (real)(x % (2 * l->len[i])) / 2;
		}
	return op_parent_scale(t, s, &(struct parents){ at, (real)1.5, ignore, heads });
}

static struct node *
case_parent_scale_all(struct case_bench *b)
{
	return case_parent_scale_of(b, 0, 2);
}

static struct node *
case_ignored(struct case_bench *b)
{
	return op_softmax(case_tape(b), case_parent_scale_of(b, (real)0.4, 2));
}

static struct node *
case_first(struct case_bench *b)
{
	return case_parent_scale_of(b, 0, 1);
}

static const struct op_case cases[] = {
	{ "all heads", case_parent_scale_all, 0 },
	{ "ignored parents", case_ignored, 0 },
	{ "the first of two heads", case_first, 0 },
	{ 0 }
};

const struct op ops_parent_scale = {
	.name = "parent-scale",
	.formula = "y_ij = s_ij N(j; parent of i, sigma^2)",
	.flags = OP_LINEAR | OP_RANDOM,
	.infer = parent_scale_infer,
	.forward = parent_scale_forward,
	.gradient = parent_scale_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/*
 * scores_ij N(j; at[i], sigma^2) for the first p->heads heads; the scores of other heads, and of
 * rows without a parent, are unchanged.  In training, a row of a head is also unchanged with the
 * probability p->ignore.  Queries must be the keys.
 */
struct node *
op_parent_scale(struct tape *t, struct node *scores, const struct parents *p)
{
	return tape_apply(t, &ops_parent_scale, 1, &scores, p, sizeof(*p));
}
