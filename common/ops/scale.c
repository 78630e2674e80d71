/* scale: y = factor x. */
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"

struct arg { real factor, beta; };

static void
scale_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	infer_like(n, n->in[0]);
}

static void
run(const void *arg, real *const *v, size_t n)
{
	const struct arg *a = arg;

	k_axpby(n, a->factor, v[0], a->beta, v[1]);
}

static void
scale_forward(struct node *n, struct pass *p)
{
	pass_elements(p, 2, (real *[]){ n->in[0]->x, n->x }, (const struct node *[]){ n->in[0], n },
		      run, n->arg);
}

static void
scale_gradient(struct node *n, struct pass *p)
{
	struct arg a = *(const struct arg *)n->arg;
	real *g = grad_of(p, n->in[0], &a.beta);

	if (g)
		pass_elements(p, 2, (real *[]){ n->grad, g },
			      (const struct node *[]){ n, n->in[0] }, run, &a);
}

static struct node *
case_matrix(struct case_bench *b)
{
	return op_scale(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 5), (real)-1.5);
}

static struct node *
case_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);

	return op_scale(t, op_columns(t, case_rows(b, case_layout(b, CASE_SOURCE), 6), 1, 3),
			(real)0.25);
}

static const struct op_case cases[] = {
	{ "a matrix", case_matrix, 0 },
	{ "a view", case_view, 0 },
	{ 0 }
};

const struct op ops_scale = {
	.name = "scale",
	.formula = "y = factor x",
	.flags = OP_LINEAR,
	.infer = scale_infer,
	.forward = scale_forward,
	.gradient = scale_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* factor a, elementwise */
struct node *
op_scale(struct tape *t, struct node *a, real factor)
{
	struct arg arg = { factor, 0 };

	return tape_apply(t, &ops_scale, 1, &a, &arg, sizeof(arg));
}
