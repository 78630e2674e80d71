/*
 * norm: layer normalization of each row (Ba et al. 2016), or root mean square normalization (Zhang
 * and Sennrich 2019).
 */
#include "ops/kit/normal.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

struct norm_arg { real eps; };

static void
norm_infer(struct node *n, struct arena *mem)
{
	const struct node *x = n->in[0];

	(void)mem;
	if (x->block || x->n_dim != 2 || !normal_fits(n->in[1], n->in[2], x->d[1]))
		bug_shapes(n);
	infer_like(n, x);
}

static size_t
norm_saved(const struct node *n)
{
	return (size_t)n->d[0] * sizeof(struct norm_row);
}

static void
norm_do_rows(void *arg, int from, int to)
{
	const struct node *n = arg, *x = n->in[0];
	struct norm_row *s = n->saved;

	for (int r = from; r < to; r++)
		s[r] = normal_of(n->d[1], ((const struct norm_arg *)n->arg)->eps,
				 x->x + (ptrdiff_t)r * x->ld, n->in[1], n->in[2],
				 n->x + (ptrdiff_t)r * n->ld);
}

static void
norm_forward(struct node *n, struct pass *p)
{
	pass_ranges(p, n->d[0], n->d[1], norm_do_rows, n);
}

static const real *
norm_row(const struct node *n, const void *arg, int r, real *room)
{
	(void)arg;
	(void)room;
	return n->in[0]->x + (ptrdiff_t)r * n->in[0]->ld;
}

static void
norm_gradient(struct node *n, struct pass *p)
{
	struct normal m = { n, n->in[1], n->in[2], norm_row, NULL };
	real beta, *to = grad_of(p, n->in[0], &beta);

	normal_gradient(&m, p, n->grad, beta, to, n->in[0]->ld);
}

static void
norm_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct normal m = { n, n->in[1], n->in[2], norm_row, NULL };
	const struct node *x = n->in[0];
	const ptrdiff_t step = rel_step(n);
	real *to = rel_of(p, n->in[0]), *dense;

	if (!to)
		return;
	dense = arena_zero(p->scratch, (size_t)(rel_planes(p) * step) * sizeof(*dense));
	normal_relevance(&m, p, lrp, dense);
	for (int k = 0; k < rel_planes(p); k++)
		for (ptrdiff_t r = 0; r < n->d[0]; r++) {
			real *at = to + k * rel_step(x) + r * x->ld;

			k_add((size_t)n->d[1], at, dense + k * step + r * n->ld, at);
		}
}

static struct node *
case_norm_matrix(struct case_bench *b)
{
	struct node *x = case_rows(b, case_layout(b, CASE_SOURCE), 21);

	return op_norm(case_tape(b), x, case_param(b, 1, 21, 0), case_param(b, 1, 21, 0),
		       (real)1e-5);
}

static struct node *
case_norm_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = op_columns(t, case_rows(b, case_layout(b, CASE_SOURCE), 9), 2, 6);

	return op_norm(t, x, case_param(b, 1, 6, 0), case_param(b, 1, 6, 0), (real)1e-3);
}

static struct node *
case_root_mean_square(struct case_bench *b)
{
	struct node *x = case_rows(b, case_layout(b, CASE_SOURCE), 21);

	return op_norm(case_tape(b), x, case_param(b, 1, 21, 0), NULL, (real)1e-6);
}

static const struct op_case cases[] = {
	{ "a matrix", case_norm_matrix, 0 },
	{ "root mean square", case_root_mean_square, 0 },
	{ "a view", case_norm_view, 0 },
	{ 0 }
};

const struct op ops_norm = {
	.name = "norm",
	.formula = "y = gain (x - mean) / sqrt(variance + eps) + bias",
	.flags = OP_PLANES | OP_REPLACED,
	.infer = norm_infer,
	.saved = norm_saved,
	.forward = norm_forward,
	.gradient = norm_gradient,
	.relevance = norm_relevance,
	.cases = cases,
};

/*
 * gain (x - mean) / sqrt(variance + eps) + bias, for each row; without bias,
 * gain x / sqrt(mean of x^2 + eps)
 */
struct node *
op_norm(struct tape *t, struct node *x, struct node *gain, struct node *bias, real eps)
{
	struct norm_arg a = { eps };

	return tape_apply(t, &ops_norm, 3, (struct node *[]){ x, gain, bias }, &a, sizeof(a));
}
