/* exp: y = exp(min(x, limit)). */
#include <math.h>

#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"

struct arg { real limit; };

static void
exp_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	infer_like(n, n->in[0]);
}

static void
run(const void *arg, real *const *v, size_t n)
{
	const struct arg *a = arg;

	for (size_t i = 0; i < n; i++)
		v[1][i] = (real)exp((double)(v[0][i] < a->limit ? v[0][i] : a->limit));
}

static void
exp_forward(struct node *n, struct pass *p)
{
	pass_elements(p, 2, (real *[]){ n->in[0]->x, n->x }, (const struct node *[]){ n->in[0], n },
		      run, n->arg);
}

struct back { real limit, beta; };

static void
run_back(const void *arg, real *const *v, size_t n)
{
	const struct back *b = arg;

	for (size_t i = 0; i < n; i++)
		v[3][i] = (v[0][i] < b->limit ? v[2][i] * v[1][i] : 0) +
			  (b->beta != 0 ? b->beta * v[3][i] : 0);
}

static void
exp_gradient(struct node *n, struct pass *p)
{
	struct back b = { .limit = ((const struct arg *)n->arg)->limit };
	real *g = grad_of(p, n->in[0], &b.beta);

	if (g)
		pass_elements(p, 4, (real *[]){ n->in[0]->x, n->x, n->grad, g },
			      (const struct node *[]){ n->in[0], n, n, n->in[0] }, run_back, &b);
}

static struct node *
case_matrix(struct case_bench *b)
{
	return op_exp(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 5), 20);
}

static struct node *
case_limit(struct case_bench *b)
{
	return op_exp(case_tape(b), case_rows(b, case_layout(b, CASE_TARGET), 5), (real)0.25);
}

static const struct op_case cases[] = {
	{ "a matrix", case_matrix, 0 },
	{ "some above the limit", case_limit, 0 },
	{ 0 }
};

const struct op ops_exp = {
	.name = "exp",
	.formula = "y = exp min(x, limit)",
	.infer = exp_infer,
	.forward = exp_forward,
	.gradient = exp_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* exp(min(a, limit)), elementwise */
struct node *
op_exp(struct tape *t, struct node *a, real limit)
{
	return tape_apply(t, &ops_exp, 1, &a, &(struct arg){ limit }, sizeof(struct arg));
}
