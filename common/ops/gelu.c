/*
 * gelu: y = x Phi(x), where Phi is the distribution function of the standard normal distribution,
 * or its approximation with tanh (Hendrycks and Gimpel 2016, Gaussian error linear units).
 */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

static struct node *
case_exact(struct case_bench *b)
{
	return op_gelu(case_tape(b), elementwise_matrix(b), false);
}

static struct node *
case_tanh(struct case_bench *b)
{
	return op_gelu(case_tape(b), elementwise_matrix(b), true);
}

static struct node *
case_gelu_view(struct case_bench *b)
{
	return op_gelu(case_tape(b), elementwise_view(b), false);
}

static const struct op_case cases[] = {
	{ "exact", case_exact, 0 },
	{ "with tanh", case_tanh, 0 },
	{ "a view", case_gelu_view, 0 },
	{ 0 }
};

const struct op ops_gelu = {
	.name = "gelu",
	.formula = "y = x Phi(x), or x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2",
	.infer = elementwise_infer,
	.forward = elementwise_forward,
	.gradient = elementwise_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* a Phi(a), elementwise; approximated with tanh if by_tanh */
struct node *
op_gelu(struct tape *t, struct node *a, bool by_tanh)
{
	/*
	 * elementwise_forward() calls the first for all elements, elementwise_gradient() the
	 * second.  Their formulas are in tensor/fast/fast-element.h.
	 */
	const struct element_kernels exact = { k_gelu, k_gelu_back, false };
	const struct element_kernels approximate = { k_gelu_tanh, k_gelu_tanh_back, false };

	return elementwise_by_kernels(t, &ops_gelu, a, by_tanh ? approximate : exact);
}
