/* constant: the same row b for each row of x, as a projection without inputs gives its bias. */
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"

static void
constant_infer(struct node *n, struct arena *mem)
{
	const struct node *x = n->in[0], *b = n->in[1];

	(void)mem;
	if (x->n_dim != 2 || x->block || b->n_dim != 1)
		bug_shapes(n);
	n->n_dim = 2;
	n->d[0] = x->d[0];
	n->d[1] = b->d[0];
	n->rows = x->rows;
}

static void
copy_rows(void *arg, int from, int to)
{
	struct node *n = arg;

	for (int r = from; r < to; r++)
		k_copy((size_t)n->d[1], n->in[1]->x, n->x + (ptrdiff_t)r * n->ld);
}

static void
constant_forward(struct node *n, struct pass *p)
{
	pass_ranges(p, n->d[0], n->d[1], copy_rows, n);
}

static void
constant_gradient(struct node *n, struct pass *p)
{
	real beta, *g = grad_of(p, n->in[0], &beta), *db;

	for (int r = 0; g && beta == 0 && r < n->d[0]; r++)
		k_zero((size_t)n->in[0]->d[1], g + (ptrdiff_t)r * n->in[0]->ld);
	db = grad_of(p, n->in[1], &beta);
	if (db)
		pass_column_sums(p, n->d[0], n->d[1], n->grad, n->ld, beta, db);
}

/* As for the bias of a projection, all elements of the row get an equal share. */
static void
constant_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	const struct node *x = n->in[0];
	real *to = rel_of(p, n->in[0]);

	(void)lrp;
	for (int r = 0; to && r < n->d[0]; r++) {
		const double sum = k_sum((size_t)n->d[1], n->rel + (ptrdiff_t)r * n->ld);
		const real each = (real)(sum / x->d[1]);

		for (int i = 0; i < x->d[1]; i++)
			to[(ptrdiff_t)r * x->ld + i] += each;
	}
}

static struct node *
case_rows_of(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = case_rows(b, case_layout(b, CASE_TARGET), 6);

	return op_add(t, op_constant(t, x, case_param(b, 1, 6, 0)), x);
}

static struct node *
case_constant_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = op_columns(t, case_rows(b, case_layout(b, CASE_SOURCE), 9), 2, 5);

	return op_constant(t, x, case_param(b, 1, 3, 0));
}

static const struct op_case cases[] = {
	{ "rows of any width", case_rows_of, 0 },
	{ "narrower than a view", case_constant_view, 0 },
	{ 0 }
};

const struct op ops_constant = {
	.name = "constant",
	.formula = "y = b in each row of x, b [E]",
	.infer = constant_infer,
	.forward = constant_forward,
	.gradient = constant_gradient,
	.relevance = constant_relevance,
	.cases = cases,
};

/* b [E] for each row of x: [R,E] */
struct node *
op_constant(struct tape *t, struct node *x, struct node *b)
{
	return tape_apply(t, &ops_constant, 2, (struct node *[]){ x, b }, NULL, 0);
}
