/* tanh: y = tanh x. */
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"

static void
tanh_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	infer_like(n, n->in[0]);
}

static void
run(const void *arg, real *const *v, size_t n)
{
	(void)arg;
	k_tanh(n, v[0], v[1]);
}

static void
tanh_forward(struct node *n, struct pass *p)
{
	pass_elements(p, 2, (real *[]){ n->in[0]->x, n->x }, (const struct node *[]){ n->in[0], n },
		      run, NULL);
}

static void
run_back(const void *arg, real *const *v, size_t n)
{
	k_tanh_back(n, v[0], v[1], *(const real *)arg, v[2]);
}

static void
tanh_gradient(struct node *n, struct pass *p)
{
	real beta, *g = grad_of(p, n->in[0], &beta);

	if (g)
		pass_elements(p, 3, (real *[]){ n->x, n->grad, g },
			      (const struct node *[]){ n, n, n->in[0] }, run_back, &beta);
}

static struct node *
case_matrix(struct case_bench *b)
{
	return op_tanh(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 5));
}

static struct node *
case_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);

	return op_tanh(t, op_columns(t, case_rows(b, case_layout(b, CASE_SOURCE), 6), 1, 3));
}

static const struct op_case cases[] = {
	{ "a matrix", case_matrix, 0 },
	{ "a view", case_view, 0 },
	{ 0 }
};

const struct op ops_tanh = {
	.name = "tanh",
	.formula = "y = tanh x",
	.infer = tanh_infer,
	.forward = tanh_forward,
	.gradient = tanh_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* tanh a, elementwise */
struct node *
op_tanh(struct tape *t, struct node *a)
{
	return tape_apply(t, &ops_tanh, 1, &a, NULL, 0);
}
