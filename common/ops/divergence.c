/*
 * divergence: y = x ln(n x) for a matrix with n columns.  The sum of a row of probabilities is its
 * Kullback-Leibler divergence from the uniform distribution.
 */
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"

static void
divergence_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	if (n->in[0]->block || n->in[0]->n_dim != 2)
		bug_shapes(n);
	infer_like(n, n->in[0]);
	n->ld = n->d[1];
}

struct divergence_arg { real columns, beta; };

static void
divergence_run(const void *arg, real *const *v, size_t n)
{
	k_divergence(n, ((const struct divergence_arg *)arg)->columns, v[0], v[1]);
}

static void
divergence_forward(struct node *n, struct pass *p)
{
	const struct divergence_arg a = { .columns = (real)n->d[1] };

	pass_elements(p, 2, (real *[]){ n->in[0]->x, n->x }, (const struct node *[]){ n->in[0], n },
		      divergence_run, &a);
}

static void
run_back(const void *arg, real *const *v, size_t n)
{
	const struct divergence_arg *a = arg;

	k_divergence_back(n, a->columns, v[0], v[1], a->beta, v[2]);
}

static void
divergence_gradient(struct node *n, struct pass *p)
{
	struct divergence_arg a = { .columns = (real)n->d[1] };
	real *g = grad_of(p, n->in[0], &a.beta);

	if (g)
		pass_elements(p, 3, (real *[]){ n->in[0]->x, n->grad, g },
			      (const struct node *[]){ n->in[0], n, n->in[0] }, run_back, &a);
}

static struct node *
case_divergence_softmax(struct case_bench *b)
{
	struct tape *t = case_tape(b);

	return op_divergence(t, op_softmax(t, case_rows(b, case_layout(b, CASE_SOURCE), 5)));
}

static struct node *
case_sum(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = op_sigmoid(t, case_rows(b, case_layout(b, CASE_TARGET), 6));

	return op_sum(t, op_divergence(t, op_columns(t, x, 1, 4)));
}

static const struct op_case cases[] = {
	{ "probabilities", case_divergence_softmax, 0 },
	{ "a view, summed", case_sum, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ 0 }
};

const struct op ops_divergence = {
	.name = "divergence",
	.formula = "y = x ln(n x), x a matrix with n columns",
	.infer = divergence_infer,
	.forward = divergence_forward,
	.gradient = divergence_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/*
 * x ln(n x) for a matrix with n columns.  The sum of a row of probabilities is its Kullback-Leibler
 * divergence from the uniform distribution.
 */
struct node *
op_divergence(struct tape *t, struct node *x)
{
	return tape_apply(t, &ops_divergence, 1, &x, NULL, 0);
}
