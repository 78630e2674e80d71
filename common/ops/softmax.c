/*
 * softmax: over the keys of each query, or over the columns of a matrix that is not a view.  A row
 * of only -inf gives zeros.
 */
#include <math.h>
#include <string.h>

#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

static void
softmax_infer(struct node *n, struct arena *mem)
{
	const struct node *x = n->in[0];

	(void)mem;
	if (!x->block && (x->n_dim != 2 || x->ld != x->d[1]))
		bug_shapes(n);
	infer_like(n, x);
}

struct softmax_job { struct node *n; real *to, beta; struct share share; bool taylor; };

enum { GRAIN = 64 };		/* rows of a matrix per task */

/* The number of tasks: sentences, or ranges of rows. */
static int
pieces(const struct node *n)
{
	return n->block ? n->queries->n : (n->d[0] + GRAIN - 1) / GRAIN;
}

/* The rows of task i: S elements each, from at to end. */
struct rows { ptrdiff_t at, end, S; };

static struct rows
softmax_rows_of(const struct node *n, int i)
{
	int to = (i + 1) * GRAIN;

	if (n->block)
		return (struct rows){ n->block[i], n->block[i + 1], n->keys->len[i] };
	to = to < n->d[0] ? to : n->d[0];
	return (struct rows){ (ptrdiff_t)i * GRAIN * n->d[1], (ptrdiff_t)to * n->d[1], n->d[1] };
}

static void
softmax_forward_one(void *arg, int i, real *room)
{
	const struct node *n = arg;

	(void)room;
	for (struct rows r = softmax_rows_of(n, i); r.S && r.at < r.end; r.at += r.S)
		k_softmax((int)r.S, n->in[0]->x + r.at, n->x + r.at);
}

static void
softmax_forward(struct node *n, struct pass *p)
{
	heads_run(p, pieces(n), 1, softmax_forward_one, n);
}

static void
softmax_gradient_one(void *arg, int i, real *room)
{
	const struct softmax_job *j = arg;

	(void)room;
	for (struct rows r = softmax_rows_of(j->n, i); r.S && r.at < r.end; r.at += r.S)
		k_softmax_back((int)r.S, j->n->x + r.at, j->n->grad + r.at, j->beta, j->to + r.at);
}

static void
softmax_gradient(struct node *n, struct pass *p)
{
	struct softmax_job j = { .n = n };

	j.to = grad_of(p, n->in[0], &j.beta);
	if (j.to)
		heads_run(p, pieces(n), 1, softmax_gradient_one, &j);
}

/*
 * y_j comes from x through the Jacobian y_j (delta_ij - y_i), and 1/S from the point 0; masked keys
 * are left out.
 */
static void
relevance_row(const struct share *s, int S, const real *x, const real *y, const real *rel,
	      real *out, real *room)
{
	real *w = room, *v = room + S, *r = room + 2 * S;
	int n = 0;

	for (int i = 0; i < S; i++)
		n += x[i] != -INFINITY;
	for (int j = 0; j < S; j++) {
		int at = 0;

		if (rel[j] == 0 || x[j] == -INFINITY)
			continue;
		for (int i = 0; i < S; i++) {
			if (x[i] == -INFINITY)
				continue;
			w[at] = y[j] * ((i == j) - y[i]);
			v[at++] = x[i];
		}
		memset(r, 0, (size_t)n * sizeof(*r));
		k_share(s, n, w, v, 1 / (real)n, rel[j], r);
		at = 0;
		for (int i = 0; i < S; i++)
			if (x[i] != -INFINITY)
				out[i] += r[at++];
	}
}

/* By AttnLRP. */
static void
taylor_row(const struct share *s, int S, const real *x, const real *y, const real *rel, real *out,
	   real *room)
{
	k_attnlrp_softmax(S, x, y, rel, room, s->flow);
	k_add((size_t)S, room, out, out);
}

static void
softmax_relevance_one(void *arg, int i, real *room)
{
	const struct softmax_job *j = arg;

	for (struct rows r = softmax_rows_of(j->n, i); r.S && r.at < r.end; r.at += r.S) {
		const real *x = j->n->in[0]->x + r.at, *y = j->n->x + r.at;

		if (j->taylor)
			taylor_row(&j->share, (int)r.S, x, y, j->n->rel + r.at, j->to + r.at, room);
		else
			relevance_row(&j->share, (int)r.S, x, y, j->n->rel + r.at, j->to + r.at,
				      room);
	}
}

static void
softmax_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct softmax_job j = { .n = n, .to = rel_of(p, n->in[0]), .share = lrp_share(lrp),
				 .taylor = lrp->rule == LRP_ATTNLRP };
	const int longest = n->block ? heads_longest(n->keys) : n->d[1];

	if (j.to)
		heads_run(p, pieces(n), 3 * (size_t)longest, softmax_relevance_one, &j);
}

static struct node *
case_softmax_cross(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *q = case_layout(b, CASE_TARGET), *k = case_layout(b, CASE_SOURCE);

	return op_softmax(t, op_scores(t, case_rows(b, q, 6), case_rows(b, k, 6), q, k, 2, 1,
				       false));
}

static struct node *
case_softmax_causal(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_TARGET);

	return op_softmax(t, op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 3, 2,
				       true));
}

static struct node *
case_rows_of_a_matrix(struct case_bench *b)
{
	return op_softmax(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 5));
}

static const struct op_case cases[] = {
	{ "cross-attention", case_softmax_cross, 0 },
	{ "masked keys", case_softmax_causal, 0 },
	{ "rows of a matrix", case_rows_of_a_matrix, 0 },
	{ 0 }
};

const struct op ops_softmax = {
	.name = "softmax",
	.formula = "y = exp(x) / sum exp(x), over the keys",
	.infer = softmax_infer,
	.forward = softmax_forward,
	.gradient = softmax_gradient,
	.relevance = softmax_relevance,
	.cases = cases,
};

/*
 * Softmax over the keys of blocks, or over the columns of a matrix that is not a view.  A row whose
 * elements are all -inf gives zeros.
 */
struct node *
op_softmax(struct tape *t, struct node *blocks)
{
	return tape_apply(t, &ops_softmax, 1, &blocks, NULL, 0);
}
