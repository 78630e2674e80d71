/* tanh: y = tanh x. */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

static struct node *
case_tanh_matrix(struct case_bench *b)
{
	return op_tanh(case_tape(b), elementwise_matrix(b));
}

static struct node *
case_tanh_view(struct case_bench *b)
{
	return op_tanh(case_tape(b), elementwise_view(b));
}

static const struct op_case cases[] = {
	{ "a matrix", case_tanh_matrix, 0 },
	{ "a view", case_tanh_view, 0 },
	{ 0 }
};

const struct op ops_tanh = {
	.name = "tanh",
	.formula = "y = tanh x",
	.infer = elementwise_infer,
	.forward = elementwise_forward,
	.gradient = elementwise_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* tanh a, elementwise */
struct node *
op_tanh(struct tape *t, struct node *a)
{
	const struct element_kernels kernels = { k_tanh, k_tanh_back, true };

	return elementwise_by_kernels(t, &ops_tanh, a, kernels);
}
