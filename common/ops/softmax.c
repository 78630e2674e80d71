/* softmax: over the keys of each query; a row that may see nothing gives zeros. */
#include <math.h>
#include <string.h>

#include "ops/ops.h"
#include "tape/heads.h"
#include "tape/op-case.h"

static void
softmax_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	if (!n->in[0]->block)
		bug_shapes(n);
	infer_like(n, n->in[0]);
}

struct job { struct node *n; real *to, beta; struct share share; };

/* Each row of sentence i's block: at, and its S numbers. */
#define FOR_ROWS(n, i, at, S) \
	for (ptrdiff_t S = (n)->keys->len[i], at = (n)->block[i]; S && at < (n)->block[(i) + 1]; at += S)

static void
forward_one(void *arg, int i, real *room)
{
	const struct node *n = arg;

	(void)room;
	FOR_ROWS(n, i, at, S)
		k_softmax((int)S, n->in[0]->x + at, n->x + at);
}

static void
softmax_forward(struct node *n, struct pass *p)
{
	heads_run(p, n->queries->n, 1, forward_one, n);
}

static void
gradient_one(void *arg, int i, real *room)
{
	const struct job *j = arg;

	(void)room;
	FOR_ROWS(j->n, i, at, S)
		k_softmax_back((int)S, j->n->x + at, j->n->grad + at, j->beta, j->to + at);
}

static void
softmax_gradient(struct node *n, struct pass *p)
{
	struct job j = { .n = n };

	j.to = grad_of(p, n->in[0], &j.beta);
	if (j.to)
		heads_run(p, n->queries->n, 1, gradient_one, &j);
}

/*
 * y_j comes from x through the Jacobian y_j (delta_ij - y_i), and 1/S from the point 0; keys that may
 * not be seen take no part.
 */
static void
relevance_row(const struct share *s, int S, const real *x, const real *y, const real *rel, real *to, real *room)
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
				to[i] += r[at++];
	}
}

static void
relevance_one(void *arg, int i, real *room)
{
	const struct job *j = arg;

	FOR_ROWS(j->n, i, at, S)
		relevance_row(&j->share, (int)S, j->n->in[0]->x + at, j->n->x + at, j->n->rel + at, j->to + at, room);
}

static void
softmax_relevance(struct node *n, struct pass *p, const struct lrp *how)
{
	struct job j = { .n = n, .to = rel_of(p, n->in[0]), .share = lrp_share(how) };

	if (j.to)
		heads_run(p, n->queries->n, 3 * (size_t)heads_longest(n->keys), relevance_one, &j);
}

static struct node *
case_cross(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *q = case_layout(b, CASE_TARGET), *k = case_layout(b, CASE_SOURCE);

	return op_softmax(t, op_scores(t, case_rows(b, q, 6), case_rows(b, k, 6), q, k, 2, 1, false));
}

static struct node *
case_causal(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_TARGET);

	return op_softmax(t, op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 3, 2, true));
}

static const struct op_case cases[] = {
	{ "two sides", case_cross, 0 },
	{ "with keys that may not be seen", case_causal, 0 },
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

struct node *
op_softmax(struct tape *t, struct node *blocks)
{
	return tape_apply(t, &ops_softmax, 1, &blocks, NULL, 0);
}
