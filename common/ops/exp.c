/* exp: y = exp(min(x, limit)). */
#include <math.h>

#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

static void
exp_run(const void *arg, real *const *v, size_t n)
{
	const struct elementwise *e = arg;

	for (size_t i = 0; i < n; i++)
		v[1][i] = (real)exp((double)(v[0][i] < e->param ? v[0][i] : e->param));
}

static void
exp_back(const void *arg, real *const *v, size_t n)
{
	const struct elementwise *e = arg;

	for (size_t i = 0; i < n; i++)
		v[3][i] = (v[0][i] < e->param ? v[2][i] * v[1][i] : 0) +
			  (e->beta != 0 ? e->beta * v[3][i] : 0);
}

static struct node *
case_exp_matrix(struct case_bench *b)
{
	return op_exp(case_tape(b), elementwise_matrix(b), 20);
}

static struct node *
case_exp_view(struct case_bench *b)
{
	return op_exp(case_tape(b), elementwise_view(b), 20);
}

static struct node *
case_limit(struct case_bench *b)
{
	return op_exp(case_tape(b), case_rows(b, case_layout(b, CASE_TARGET), 5), (real)0.25);
}

static const struct op_case cases[] = {
	{ "a matrix", case_exp_matrix, 0 },
	{ "a view", case_exp_view, 0 },
	{ "some above the limit", case_limit, 0 },
	{ 0 }
};

const struct op ops_exp = {
	.name = "exp",
	.formula = "y = exp min(x, limit)",
	.infer = elementwise_infer,
	.forward = elementwise_forward,
	.gradient = elementwise_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* exp(min(a, limit)), elementwise */
struct node *
op_exp(struct tape *t, struct node *a, real limit)
{
	const struct elementwise how = {
		.run = exp_run, .back = exp_back, .param = limit
	};

	return elementwise_apply(t, &ops_exp, a, &how);
}
