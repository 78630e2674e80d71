/* linear: y = x w' + b. */
#include "ops/kit/op-case.h"
#include "ops/kit/projection.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

static void
linear_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	projection_infer(n);
}

static void
linear_add_bias(void *arg, int from, int to)
{
	const struct node *n = arg;

	for (int r = from; r < to; r++)
		k_bias(n->d[1], n->in[2]->x, n->x + (ptrdiff_t)r * n->ld);
}

static void
linear_forward(struct node *n, struct pass *p)
{
	projection_forward(n, p, n->in[2] ? linear_add_bias : NULL, n);
}

struct back { const struct node *n; const struct sums *sums; bf16 *g16; };

static void
linear_back_rows(void *arg, int from, int to)
{
	const struct back *b = arg;
	const struct node *n = b->n;
	const size_t width = (size_t)n->d[1];
	real *sum = sums_of(b->sums, from);

	for (int r = from; r < to; r++) {
		const real *g = n->grad + (ptrdiff_t)r * n->ld;

		k_add(width, sum, g, sum);
		if (b->g16)
			k_to_bf16(width, g, b->g16 + (size_t)r * width);
	}
}

static void
linear_gradient(struct node *n, struct pass *p)
{
	struct sums s;
	struct back b = { n, &s, projection_room(n, p) };
	real beta, *db = grad_of(p, n->in[2], &beta);

	if (db || b.g16) {
		sums_begin(&s, p, n->d[0], n->d[1]);
		sums_run(&s, p, linear_back_rows, &b);
	}
	if (db)
		sums_end(&s, p, beta, db);
	projection_gradient(n, p, n->grad, n->ld, b.g16);
}

static struct node *
case_bias(struct case_bench *b)
{
	struct node *x = case_rows(b, case_layout(b, CASE_SOURCE), 5);

	return op_linear(case_tape(b), x, case_param(b, 2, 7, 5), case_param(b, 1, 7, 0));
}

static struct node *
case_linear_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = op_columns(t, case_rows(b, case_layout(b, CASE_SOURCE), 24), 3, 19);

	return op_linear(t, x, case_param(b, 2, 4, 19), NULL);
}

static struct node *
case_linear_shared(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *w = case_param(b, 2, 5, 5), *x = case_rows(b, case_layout(b, CASE_SOURCE), 5);

	return op_linear(t, op_linear(t, x, w, NULL), w, NULL);
}

static const struct op_case cases[] = {
	{ "a bias", case_bias, 0 },
	{ "a view, no bias", case_linear_view, 0 },
	{ "one weight used twice", case_linear_shared, 0 },
	{ 0 }
};

const struct op ops_linear = {
	.name = "linear",
	.formula = "y = x w' + b",
	.flags = OP_LINEAR | OP_PLANES | OP_REPLACED | OP_READS_BF16,
	.infer = linear_infer,
	.forward = linear_forward,
	.gradient = linear_gradient,
	.relevance = projection_relevance,
	.cases = cases,
};

/* x w' + b; b may be NULL */
struct node *
op_linear(struct tape *t, struct node *x, struct node *w, struct node *b)
{
	return tape_apply(t, &ops_linear, 3, (struct node *[]){ x, w, b }, NULL, 0);
}
