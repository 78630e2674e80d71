/* scale: y = factor x. */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

static void
scale_run(const void *arg, real *const *v, size_t n)
{
	const struct elementwise *e = arg;

	k_axpby(n, e->param, v[0], 0, v[1]);
}

static void
scale_back(const void *arg, real *const *v, size_t n)
{
	const struct elementwise *e = arg;

	k_axpby(n, e->param, v[2], e->beta, v[3]);
}

static struct node *
case_scale_matrix(struct case_bench *b)
{
	return op_scale(case_tape(b), elementwise_matrix(b), (real)-1.5);
}

static struct node *
case_scale_view(struct case_bench *b)
{
	return op_scale(case_tape(b), elementwise_view(b), (real)0.25);
}

static const struct op_case cases[] = {
	{ "a matrix", case_scale_matrix, 0 },
	{ "a view", case_scale_view, 0 },
	{ 0 }
};

const struct op ops_scale = {
	.name = "scale",
	.formula = "y = factor x",
	.flags = OP_LINEAR,
	.infer = elementwise_infer,
	.forward = elementwise_forward,
	.gradient = elementwise_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* factor a, elementwise */
struct node *
op_scale(struct tape *t, struct node *a, real factor)
{
	const struct elementwise how = {
		.run = scale_run, .back = scale_back, .param = factor
	};

	return elementwise_apply(t, &ops_scale, a, &how);
}
