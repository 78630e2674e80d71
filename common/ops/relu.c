/* relu: y = max(0, x). */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

static struct node *
case_relu_matrix(struct case_bench *b)
{
	return op_relu(case_tape(b), elementwise_matrix(b));
}

static struct node *
case_relu_view(struct case_bench *b)
{
	return op_relu(case_tape(b), elementwise_view(b));
}

static const struct op_case cases[] = {
	{ "a matrix", case_relu_matrix, 0 },
	{ "a view", case_relu_view, 0 },
	{ 0 }
};

const struct op ops_relu = {
	.name = "relu",
	.formula = "y = max(0, x)",
	.infer = elementwise_infer,
	.forward = elementwise_forward,
	.gradient = elementwise_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* max(0, a), elementwise */
struct node *
op_relu(struct tape *t, struct node *a)
{
	const struct element_kernels kernels = { k_relu, k_relu_back, true };

	return elementwise_by_kernels(t, &ops_relu, a, kernels);
}
