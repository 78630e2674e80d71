/* abs: y = |x|; the gradient at 0 is 0. */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

static void
abs_run(const void *arg, real *const *v, size_t n)
{
	(void)arg;
	for (size_t i = 0; i < n; i++)
		v[1][i] = v[0][i] < 0 ? -v[0][i] : v[0][i];
}

static void
abs_back(const void *arg, real *const *v, size_t n)
{
	const real beta = ((const struct elementwise *)arg)->beta;

	for (size_t i = 0; i < n; i++) {
		const real sign = (real)((v[0][i] > 0) - (v[0][i] < 0));

		v[3][i] = sign * v[2][i] + (beta != 0 ? beta * v[3][i] : 0);
	}
}

static struct node *
case_abs_matrix(struct case_bench *b)
{
	return op_abs(case_tape(b), elementwise_matrix(b));
}

static struct node *
case_abs_view(struct case_bench *b)
{
	return op_abs(case_tape(b), elementwise_view(b));
}

static const struct op_case cases[] = {
	{ "a matrix", case_abs_matrix, 0 },
	{ "a view", case_abs_view, 0 },
	{ 0 }
};

const struct op ops_abs = {
	.name = "abs",
	.formula = "y = |x|",
	.infer = elementwise_infer,
	.forward = elementwise_forward,
	.gradient = elementwise_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* |a|, elementwise */
struct node *
op_abs(struct tape *t, struct node *a)
{
	const struct elementwise how = { .run = abs_run, .back = abs_back };

	return elementwise_apply(t, &ops_abs, a, &how);
}
