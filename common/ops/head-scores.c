/* head-scores: the dot product of each row's vector with each of its heads. */
#include "ops/kit/op-case.h"
#include "ops/kit/row-heads.h"
#include "ops/ops.h"
#include "tensor/relevance-kernels.h"

struct head_scores_arg { real scale; };

/* The matrices of a row: the inputs, and the result or its gradient. */
static struct row_heads
head_scores_rows_of(const struct node *n, real *a)
{
	const struct node *u = n->in[0], *o = n->in[1];

	return (struct row_heads){
		.rows = n->d[0], .heads = n->d[1], .d = u->d[1], .o = o->x, .ldo = o->ld, .x = u->x,
		.ldx = u->ld, .a = a, .lda = n->ld,
		.alpha = ((const struct head_scores_arg *)n->arg)->scale,
	};
}

static void
head_scores_forward(struct node *n, struct pass *p)
{
	const struct row_heads r = head_scores_rows_of(n, n->x);

	row_heads_dots(&r, p);
}

static void
head_scores_gradient(struct node *n, struct pass *p)
{
	struct row_heads du = head_scores_rows_of(n, n->grad), dheads = du;

	du.x = grad_of(p, n->in[0], &du.beta);
	if (du.x)
		row_heads_sum(&du, p);
	dheads.o = grad_of(p, n->in[1], &dheads.beta);
	if (dheads.o)
		row_heads_outer(&dheads, p);
}

struct tracing { const struct node *n; real *u, *o; struct share share; };

/* A sum of products of two activations: each factor contributes the whole, and gets half. */
static void
trace_rows(void *arg, int from, int to)
{
	const struct tracing *t = arg;
	const struct node *n = t->n, *u = n->in[0], *o = n->in[1];
	const int d = u->d[1];

	for (ptrdiff_t r = from; r < to; r++)
		for (int h = 0; h < n->d[1]; h++) {
			const ptrdiff_t at = r * o->ld + (ptrdiff_t)h * d;
			const real half = n->rel[r * n->ld + h] / 2;

			k_share(&t->share, d, o->x + at, u->x + r * u->ld, 0, half,
				t->u + r * u->ld);
			k_share(&t->share, d, u->x + r * u->ld, o->x + at, 0, half, t->o + at);
		}
}

static void
head_scores_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct tracing t = { n, rel_of(p, n->in[0]), rel_of(p, n->in[1]), lrp_share(lrp) };

	if (t.u && t.o)
		pass_ranges(p, n->d[0], n->in[1]->d[1], trace_rows, &t);
}

static struct node *
case_head_scores_heads(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);

	return op_head_scores(case_tape(b), case_rows(b, l, 5), case_rows(b, l, 15), (real)0.7);
}

static struct node *
case_head_scores_views(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = case_rows(b, case_layout(b, CASE_TARGET), 52);

	return op_head_scores(t, op_columns(t, x, 1, 17), op_columns(t, x, 18, 34), 1);
}

static const struct op_case cases[] = {
	{ "three heads", case_head_scores_heads, 0 },
	{ "two wide heads, views", case_head_scores_views, 0 },
	{ 0 }
};

const struct op ops_head_scores = {
	.name = "head-scores",
	.formula = "y_h = scale u . o_h of each row, u [R,d], o [R,H*d]",
	.flags = OP_LINEAR,
	.infer = row_heads_infer,
	.forward = head_scores_forward,
	.gradient = head_scores_gradient,
	.relevance = head_scores_relevance,
	.cases = cases,
};

/* scale u . head_h for each row: u [R,d], heads [R,H*d] -> [R,H] */
struct node *
op_head_scores(struct tape *t, struct node *u, struct node *heads, real scale)
{
	struct head_scores_arg a = { scale };

	return tape_apply(t, &ops_head_scores, 2, (struct node *[]){ u, heads }, &a, sizeof(a));
}
