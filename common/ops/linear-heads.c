/* linear-heads: y = x w' for each head of a row, with the same w for all heads. */
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/kit/units.h"
#include "ops/ops.h"
#include "tensor/product.h"

static int
heads_of(const struct node *n)
{
	return n->in[0]->d[1] / n->in[1]->d[1];
}

static void
linear_heads_infer(struct node *n, struct arena *mem)
{
	const struct node *x = n->in[0], *w = n->in[1];

	(void)mem;
	if (x->block || x->n_dim != 2 || w->n_dim != 2 || x->d[1] % w->d[1])
		bug_shapes(n);
	n->n_dim = 2;
	n->d[0] = x->d[0];
	n->d[1] = heads_of(n) * w->d[0];
	n->rows = x->rows;
}

static void
linear_heads_forward(struct node *n, struct pass *p)
{
	const struct node *x = n->in[0], *w = n->in[1];
	const struct gemm g = {
		.m = n->d[0], .n = w->d[0], .k = w->d[1], .trans_b = true, .alpha = 1, .beta = 0,
		.a = x->x, .lda = x->ld, .b = w->x, .ldb = w->ld, .c = n->x, .ldc = n->ld,
	};

	heads_product(p, heads_of(n), &g, w->d[1], 0, w->d[0]);
}

static void
linear_heads_gradient(struct node *n, struct pass *p)
{
	struct node *x = n->in[0], *w = n->in[1];
	struct gemm dx = {
		.m = n->d[0], .n = w->d[1], .k = w->d[0], .alpha = 1,
		.a = n->grad, .lda = n->ld, .b = w->x, .ldb = w->ld, .ldc = x->ld,
	};
	struct gemm dw = {
		.m = w->d[0], .n = w->d[1], .k = n->d[0], .trans_a = true, .alpha = 1,
		.a = n->grad, .lda = n->ld, .b = x->x, .ldb = x->ld, .ldc = w->ld,
	};

	dw.c = grad_of(p, w, &dw.beta);
	if (dw.c)
		heads_product(p, heads_of(n), &dw, w->d[0], w->d[1], 0);
	dx.c = grad_of(p, x, &dx.beta);
	if (dx.c)
		heads_product(p, heads_of(n), &dx, w->d[0], 0, w->d[1]);
}

/* Each head of a row is treated as a row. */
static void
linear_heads_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct node *x = n->in[0], *w = n->in[1];
	const int heads = heads_of(n);
	struct unit_row *row = ARENA_ARRAY(p->scratch, struct unit_row, n->d[0] * heads);
	const struct units u = {
		.inputs = w->d[1], .outputs = w->d[0], .rows = n->d[0] * heads,
		.planes = rel_planes(p), .row = row,
		.w = w->x, .ldw = w->ld, .share = lrp_share(lrp),
		.from = n->rel, .step_from = rel_step(n), .to = rel_of(p, x),
		.step_to = rel_step(x),
	};

	for (int i = 0; i < u.rows; i++) {
		const ptrdiff_t r = i / heads, h = i % heads, at = r * x->ld + h * w->d[1];

		row[i] = (struct unit_row){ x->x + at, NULL, r * n->ld + h * w->d[0], at };
	}
	if (u.to)
		units_relevance(&u, p);
}

static struct node *
case_rows_of_heads(struct case_bench *b)
{
	return op_linear_heads(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 12),
			       case_param(b, 2, 5, 4));
}

static struct node *
case_linear_heads_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = case_rows(b, case_layout(b, CASE_SOURCE), 9);

	return op_linear_heads(t, op_columns(t, x, 1, 6), case_param(b, 2, 1, 3));
}

static struct node *
case_linear_heads_twice(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *w = case_param(b, 2, 3, 3), *x = case_rows(b, case_layout(b, CASE_SOURCE), 6);

	return op_add(t, op_linear_heads(t, op_linear_heads(t, x, w), w), x);
}

static const struct op_case cases[] = {
	{ "three heads", case_rows_of_heads, 0 },
	{ "a view, one element per head", case_linear_heads_view, 0 },
	{ "one weight used twice", case_linear_heads_twice, 0 },
	{ 0 }
};

const struct op ops_linear_heads = {
	.name = "linear-heads",
	.formula = "y_h = x_h w' for each head h, x [R,H*d], w [e,d]",
	.flags = OP_LINEAR | OP_PLANES,
	.infer = linear_heads_infer,
	.forward = linear_heads_forward,
	.gradient = linear_heads_gradient,
	.relevance = linear_heads_relevance,
	.cases = cases,
};

/* x w' for each head of a row: x [R,H*d], w [e,d] -> [R,H*e] */
struct node *
op_linear_heads(struct tape *t, struct node *x, struct node *w)
{
	return tape_apply(t, &ops_linear_heads, 2, (struct node *[]){ x, w }, NULL, 0);
}
