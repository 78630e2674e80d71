/* sigmoid: y = 1 / (1 + exp(-x)). */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

static struct node *
case_sigmoid_matrix(struct case_bench *b)
{
	return op_sigmoid(case_tape(b), elementwise_matrix(b));
}

static struct node *
case_sigmoid_view(struct case_bench *b)
{
	return op_sigmoid(case_tape(b), elementwise_view(b));
}

static const struct op_case cases[] = {
	{ "a matrix", case_sigmoid_matrix, 0 },
	{ "a view", case_sigmoid_view, 0 },
	{ 0 }
};

const struct op ops_sigmoid = {
	.name = "sigmoid",
	.formula = "y = 1 / (1 + exp(-x))",
	.infer = elementwise_infer,
	.forward = elementwise_forward,
	.gradient = elementwise_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* 1 / (1 + exp(-a)), elementwise */
struct node *
op_sigmoid(struct tape *t, struct node *a)
{
	const struct element_kernels kernels = { k_sigmoid, k_sigmoid_back, true };

	return elementwise_by_kernels(t, &ops_sigmoid, a, kernels);
}
