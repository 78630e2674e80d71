/* relu: y = max(0, x). */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

static void
relu_run(const void *arg, real *const *v, size_t n)
{
	(void)arg;
	k_relu(n, v[0], v[1]);
}

static void
relu_back(const void *arg, real *const *v, size_t n)
{
	const struct elementwise *e = arg;

	k_relu_back(n, v[1], v[2], e->beta, v[3]);
}

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
	const struct elementwise how = { .run = relu_run, .back = relu_back };

	return elementwise_apply(t, &ops_relu, a, &how);
}
