/* head-mix: the weighted sum of the heads of each row. */
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/kit/row-heads.h"
#include "ops/ops.h"

/* The matrices of a row: the inputs, and the result or its gradient. */
static struct row_heads
head_mix_rows_of(const struct node *n, real *x)
{
	const struct node *a = n->in[0], *o = n->in[1];

	return (struct row_heads){
		.rows = n->d[0], .heads = a->d[1], .d = n->d[1], .o = o->x, .ldo = o->ld, .x = x,
		.ldx = n->ld, .a = a->x, .lda = a->ld, .alpha = 1,
	};
}

static void
head_mix_forward(struct node *n, struct pass *p)
{
	const struct row_heads r = head_mix_rows_of(n, n->x);

	row_heads_sum(&r, p);
}

static void
head_mix_gradient(struct node *n, struct pass *p)
{
	struct row_heads da = head_mix_rows_of(n, n->grad), dheads = da;

	da.a = grad_of(p, n->in[0], &da.beta);
	if (da.a)
		row_heads_dots(&da, p);
	dheads.o = grad_of(p, n->in[1], &dheads.beta);
	if (dheads.o)
		row_heads_outer(&dheads, p);
}

struct tracing { const struct node *n; real *a, *o; struct share share; };

/*
 * Weights and heads each contribute the whole sum, so each gets half of the relevance.  With
 * constant weights the heads get all of it.
 */
static void
trace_row(void *arg, int r, real *room)
{
	const struct tracing *t = arg;
	const struct node *n = t->n, *a = n->in[0], *o = n->in[1];
	const int heads = a->d[1];
	const real part = t->a ? (real)0.5 : 1;
	real *x = room, *to = room + heads;

	for (int c = 0; c < n->d[1]; c++) {
		const ptrdiff_t at = (ptrdiff_t)r * o->ld + c;

		for (int h = 0; h < heads; h++)
			x[h] = o->x[at + (ptrdiff_t)h * n->d[1]];
		k_zero((size_t)heads, to);
		k_share(&t->share, heads, a->x + (ptrdiff_t)r * a->ld, x, 0,
			n->rel[(ptrdiff_t)r * n->ld + c], to);
		k_axpby((size_t)heads, part, to, 0, to);
		for (int h = 0; h < heads; h++)
			t->o[at + (ptrdiff_t)h * n->d[1]] += to[h];
		if (t->a)
			k_add((size_t)heads, t->a + (ptrdiff_t)r * a->ld, to,
			      t->a + (ptrdiff_t)r * a->ld);
	}
}

static void
head_mix_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	const bool constant = lrp->attention_constant;
	struct tracing t = { n, constant ? NULL : rel_of(p, n->in[0]), rel_of(p, n->in[1]),
			     lrp_share(lrp) };

	if (t.o)
		heads_run(p, n->d[0], 2 * (size_t)n->in[0]->d[1], trace_row, &t);
}

static struct node *
case_head_mix_heads(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);

	return op_head_mix(case_tape(b), case_rows(b, l, 3), case_rows(b, l, 15));
}

static struct node *
case_attention(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = case_rows(b, case_layout(b, CASE_TARGET), 40);
	struct node *o = op_columns(t, x, 4, 34);

	return op_head_mix(t, op_softmax(t, op_head_scores(t, op_columns(t, x, 21, 17), o, 1)), o);
}

static const struct op_case cases[] = {
	{ "three heads", case_head_mix_heads, 0 },
	{ "two wide heads, weights by dot products, views", case_attention, 0 },
	{ 0 }
};

const struct op ops_head_mix = {
	.name = "head-mix",
	.formula = "y = sum_h a_h o_h of each row, a [R,H], o [R,H*d]",
	.flags = OP_LINEAR,
	.infer = row_heads_infer,
	.forward = head_mix_forward,
	.gradient = head_mix_gradient,
	.relevance = head_mix_relevance,
	.cases = cases,
};

/* The weighted sum of the heads of each row: weights [R,H], heads [R,H*d] -> [R,d] */
struct node *
op_head_mix(struct tape *t, struct node *weights, struct node *heads)
{
	return tape_apply(t, &ops_head_mix, 2, (struct node *[]){ weights, heads }, NULL, 0);
}
