/*
 * gelu: y = x Phi(x), where Phi is the distribution function of the standard normal distribution,
 * or its approximation with tanh (Hendrycks and Gimpel 2016, Gaussian error linear units).
 */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

static void
gelu_run(const void *arg, real *const *v, size_t n)
{
	(void)arg;
	k_gelu(n, v[0], v[1]);
}

static void
gelu_back(const void *arg, real *const *v, size_t n)
{
	const struct elementwise *e = arg;

	k_gelu_back(n, v[0], v[2], e->beta, v[3]);
}

static void
gelu_tanh_run(const void *arg, real *const *v, size_t n)
{
	(void)arg;
	k_gelu_tanh(n, v[0], v[1]);
}

static void
gelu_tanh_back(const void *arg, real *const *v, size_t n)
{
	const struct elementwise *e = arg;

	k_gelu_tanh_back(n, v[0], v[2], e->beta, v[3]);
}

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
case_view(struct case_bench *b)
{
	return op_gelu(case_tape(b), elementwise_view(b), false);
}

static const struct op_case cases[] = {
	{ "exact", case_exact, 0 },
	{ "with tanh", case_tanh, 0 },
	{ "a view", case_view, 0 },
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
	const struct elementwise how = {
		.run = by_tanh ? gelu_tanh_run : gelu_run,
		.back = by_tanh ? gelu_tanh_back : gelu_back,
	};

	return elementwise_apply(t, &ops_gelu, a, &how);
}
