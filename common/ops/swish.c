/* swish: y = x sigmoid(x) (Ramachandran et al. 2017, Searching for activation functions). */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

static struct node *
case_swish_matrix(struct case_bench *b)
{
	return op_swish(case_tape(b), elementwise_matrix(b));
}

static struct node *
case_swish_view(struct case_bench *b)
{
	return op_swish(case_tape(b), elementwise_view(b));
}

static const struct op_case cases[] = {
	{ "a matrix", case_swish_matrix, 0 },
	{ "a view", case_swish_view, 0 },
	{ 0 }
};

const struct op ops_swish = {
	.name = "swish",
	.formula = "y = x / (1 + exp(-x))",
	.infer = elementwise_infer,
	.forward = elementwise_forward,
	.gradient = elementwise_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* a sigmoid(a), elementwise */
struct node *
op_swish(struct tape *t, struct node *a)
{
	const struct element_kernels kernels = { k_swish, k_swish_back, false };

	return elementwise_by_kernels(t, &ops_swish, a, kernels);
}
