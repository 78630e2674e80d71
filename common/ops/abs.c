/* abs: y = |x|; the gradient at 0 is 0. */
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"

static void
abs_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	infer_like(n, n->in[0]);
}

static void
run(const void *arg, real *const *v, size_t n)
{
	(void)arg;
	for (size_t i = 0; i < n; i++)
		v[1][i] = v[0][i] < 0 ? -v[0][i] : v[0][i];
}

static void
abs_forward(struct node *n, struct pass *p)
{
	pass_elements(p, 2, (real *[]){ n->in[0]->x, n->x }, (const struct node *[]){ n->in[0], n },
		      run, NULL);
}

static void
run_back(const void *arg, real *const *v, size_t n)
{
	const real beta = *(const real *)arg;

	for (size_t i = 0; i < n; i++) {
		const real sign = (real)((v[0][i] > 0) - (v[0][i] < 0));

		v[2][i] = sign * v[1][i] + (beta != 0 ? beta * v[2][i] : 0);
	}
}

static void
abs_gradient(struct node *n, struct pass *p)
{
	real beta, *g = grad_of(p, n->in[0], &beta);

	if (g)
		pass_elements(p, 3, (real *[]){ n->in[0]->x, n->grad, g },
			      (const struct node *[]){ n->in[0], n, n->in[0] }, run_back, &beta);
}

static struct node *
case_matrix(struct case_bench *b)
{
	return op_abs(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 5));
}

static const struct op_case cases[] = {
	{ "a matrix", case_matrix, 0 },
	{ 0 }
};

const struct op ops_abs = {
	.name = "abs",
	.formula = "y = |x|",
	.infer = abs_infer,
	.forward = abs_forward,
	.gradient = abs_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* |a|, elementwise */
struct node *
op_abs(struct tape *t, struct node *a)
{
	return tape_apply(t, &ops_abs, 1, &a, NULL, 0);
}
