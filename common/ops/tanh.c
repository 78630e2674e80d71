/* tanh: y = tanh x. */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

static void
tanh_run(const void *arg, real *const *v, size_t n)
{
	(void)arg;
	k_tanh(n, v[0], v[1]);
}

static void
tanh_back(const void *arg, real *const *v, size_t n)
{
	const struct elementwise *e = arg;

	k_tanh_back(n, v[1], v[2], e->beta, v[3]);
}

static struct node *
case_matrix(struct case_bench *b)
{
	return op_tanh(case_tape(b), elementwise_matrix(b));
}

static struct node *
case_view(struct case_bench *b)
{
	return op_tanh(case_tape(b), elementwise_view(b));
}

static const struct op_case cases[] = {
	{ "a matrix", case_matrix, 0 },
	{ "a view", case_view, 0 },
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
	const struct elementwise how = { .run = tanh_run, .back = tanh_back };

	return elementwise_apply(t, &ops_tanh, a, &how);
}
