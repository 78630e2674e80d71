/*
 * gelu: y = x Phi(x), where Phi is the distribution function of the standard normal distribution,
 * or its approximation with tanh (Hendrycks and Gimpel 2016, Gaussian error linear units).
 */
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"

struct arg { bool by_tanh; };

static void
gelu_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	infer_like(n, n->in[0]);
}

static void
run(const void *arg, real *const *v, size_t n)
{
	const struct arg *a = arg;

	if (a->by_tanh)
		k_gelu_tanh(n, v[0], v[1]);
	else
		k_gelu(n, v[0], v[1]);
}

static void
gelu_forward(struct node *n, struct pass *p)
{
	pass_elements(p, 2, (real *[]){ n->in[0]->x, n->x },
		      (const struct node *[]){ n->in[0], n }, run, n->arg);
}

struct back { const struct arg *a; real beta; };

static void
run_back(const void *arg, real *const *v, size_t n)
{
	const struct back *b = arg;

	if (b->a->by_tanh)
		k_gelu_tanh_back(n, v[0], v[1], b->beta, v[2]);
	else
		k_gelu_back(n, v[0], v[1], b->beta, v[2]);
}

static void
gelu_gradient(struct node *n, struct pass *p)
{
	struct back b = { .a = n->arg };
	real *g = grad_of(p, n->in[0], &b.beta);

	if (g)
		pass_elements(p, 3, (real *[]){ n->in[0]->x, n->grad, g },
			      (const struct node *[]){ n->in[0], n, n->in[0] }, run_back, &b);
}

static struct node *
case_exact(struct case_bench *b)
{
	return op_gelu(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 5), false);
}

static struct node *
case_tanh(struct case_bench *b)
{
	return op_gelu(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 5), true);
}

static struct node *
case_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);

	return op_gelu(t, op_columns(t, case_rows(b, case_layout(b, CASE_SOURCE), 6), 1, 3),
		       false);
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
	.infer = gelu_infer,
	.forward = gelu_forward,
	.gradient = gelu_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* a Phi(a), elementwise; approximated with tanh if by_tanh */
struct node *
op_gelu(struct tape *t, struct node *a, bool by_tanh)
{
	const struct arg arg = { by_tanh };

	return tape_apply(t, &ops_gelu, 1, &a, &arg, sizeof(arg));
}
