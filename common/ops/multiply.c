/* multiply: y = a b, elementwise. */
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"

static void
multiply_infer(struct node *n, struct arena *mem)
{
	const struct node *a = n->in[0], *b = n->in[1];

	(void)mem;
	if (a->n_dim != b->n_dim || node_size(a) != node_size(b) || !a->block != !b->block ||
	    (a->n_dim == 2 && a->d[1] != b->d[1]))
		bug_shapes(n);
	infer_like(n, a);
	if (!n->rows)
		n->rows = b->rows;
}

static void
multiply_run(const void *arg, real *const *v, size_t n)
{
	k_multiply(n, v[0], v[1], *(const real *)arg, v[2]);
}

static void
multiply_forward(struct node *n, struct pass *p)
{
	pass_elements(p, 3, (real *[]){ n->in[0]->x, n->in[1]->x, n->x },
		      (const struct node *[]){ n->in[0], n->in[1], n }, multiply_run, &(real){ 0 });
}

static void
multiply_gradient(struct node *n, struct pass *p)
{
	for (int i = 0; i < 2; i++) {
		struct node *other = n->in[1 - i];
		real beta, *g = grad_of(p, n->in[i], &beta);

		if (g)
			pass_elements(p, 3, (real *[]){ n->grad, other->x, g },
				      (const struct node *[]){ n, other, n->in[i] }, multiply_run,
				      &beta);
	}
}

static void
multiply_add_scaled(const void *arg, real *const *v, size_t n)
{
	k_axpby(n, *(const real *)arg, v[0], 1, v[1]);
}

/* Both factors contribute a b, so each gets half of the relevance; a parameter gets none. */
static void
multiply_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	real *to[2] = { rel_of(p, n->in[0]), rel_of(p, n->in[1]) };
	real part = to[0] && to[1] ? (real)0.5 : 1;

	(void)lrp;
	for (int i = 0; i < 2; i++)
		if (to[i])
			pass_elements(p, 2, (real *[]){ n->rel, to[i] },
				      (const struct node *[]){ n, n->in[i] }, multiply_add_scaled,
				      &part);
}

static struct node *
case_multiply_matrices(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);

	return op_multiply(case_tape(b), case_rows(b, l, 5), case_rows(b, l, 5));
}

static struct node *
case_square(struct case_bench *b)
{
	struct node *x = case_input(b, 2, 3, 4);

	return op_multiply(case_tape(b), x, x);
}

static struct node *
case_gate(struct case_bench *b)
{
	return op_multiply(case_tape(b), case_input(b, 1, 6, 0), case_param(b, 1, 6, 0));
}

static const struct op_case cases[] = {
	{ "two matrices", case_multiply_matrices, 0 },
	{ "a square", case_square, 0 },
	{ "a parameter as gate", case_gate, 0 },
	{ 0 }
};

const struct op ops_multiply = {
	.name = "multiply",
	.formula = "y = a b",
	.flags = OP_LINEAR,
	.infer = multiply_infer,
	.forward = multiply_forward,
	.gradient = multiply_gradient,
	.relevance = multiply_relevance,
	.cases = cases,
};

/* a b, elementwise, for any equal shapes */
struct node *
op_multiply(struct tape *t, struct node *a, struct node *b)
{
	return tape_apply(t, &ops_multiply, 2, (struct node *[]){ a, b }, NULL, 0);
}
