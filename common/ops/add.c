/* add: y = a + b. */
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/relevance-kernels.h"

static int
add_same_shape(const struct node *a, const struct node *b)
{
	if (a->block || b->block)
		return a->block && b->block && node_size(a) == node_size(b);
	if (a->n_dim != b->n_dim)
		return 0;
	for (int i = 0; i < a->n_dim; i++)
		if (a->d[i] != b->d[i])
			return 0;
	return 1;
}

static void
add_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	if (!add_same_shape(n->in[0], n->in[1]))
		bug_shapes(n);
	infer_like(n, n->in[0]);
	if (!n->rows)
		n->rows = n->in[1]->rows;
}

static void
run_add(const void *arg, real *const *v, size_t n)
{
	(void)arg;
	k_add(n, v[0], v[1], v[2]);
}

static void
add_forward(struct node *n, struct pass *p)
{
	pass_elements(p, 3, (real *[]){ n->in[0]->x, n->in[1]->x, n->x },
		      (const struct node *[]){ n->in[0], n->in[1], n }, run_add, NULL);
}

static void
add_gradient(struct node *n, struct pass *p)
{
	elementwise_add(n, p, n->in[1]);
	elementwise_pass(n, p, n->in[0]);
}

/* Each pair of elements is a unit with two inputs. */
static void
share_run(const void *arg, real *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		real x[2] = { v[0][i], v[1][i] }, rel[2] = { 0, 0 };

		k_share(arg, 2, NULL, x, 0, v[2][i], rel);
		v[0 + 3][i] += rel[0];
		v[1 + 3][i] += rel[1];
	}
}

static void
add_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct node *a = n->in[0], *b = n->in[1];
	real *ra = rel_of(p, a), *rb = rel_of(p, b);
	struct share s = lrp_share(lrp);

	if (ra && rb)
		pass_elements(p, 5, (real *[]){ a->x, b->x, n->rel, ra, rb },
			      (const struct node *[]){ a, b, n, a, b }, share_run, &s);
	else if (ra || rb)
		pass_elements(p, 2, (real *[]){ n->rel, ra ? ra : rb },
			      (const struct node *[]){ n, ra ? a : b }, elementwise_plus,
			      &(real){ 1 });
}

static struct node *
case_add_matrices(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);

	return op_add(case_tape(b), case_rows(b, l, 5), case_rows(b, l, 5));
}

static struct node *
case_add_views(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = case_rows(b, case_layout(b, CASE_SOURCE), 7);

	return op_add(t, op_columns(t, x, 0, 4), op_columns(t, x, 2, 4));
}

static struct node *
case_add_twice(struct case_bench *b)
{
	struct node *x = case_input(b, 1, 9, 0);

	return op_add(case_tape(b), x, x);
}

static const struct op_case cases[] = {
	{ "two matrices", case_add_matrices, 0 },
	{ "overlapping views", case_add_views, 0 },
	{ "a vector to itself", case_add_twice, 0 },
	{ 0 }
};

const struct op ops_add = {
	.name = "add",
	.formula = "y = a + b",
	.flags = OP_LINEAR,
	.infer = add_infer,
	.forward = add_forward,
	.gradient = add_gradient,
	.relevance = add_relevance,
	.cases = cases,
};

/* a + b, elementwise, for any equal shapes */
struct node *
op_add(struct tape *t, struct node *a, struct node *b)
{
	return tape_apply(t, &ops_add, 2, (struct node *[]){ a, b }, NULL, 0);
}
