/*
 * residual-norm: norm(x + dropout(y)), of the two kinds of op_norm().
 *
 * The sum is not stored: x and y are on the tape, and adding them again costs less than storing it.
 */
#include "ops/kit/normal.h"
#include "ops/kit/op-case.h"
#include "ops/kit/sublayer.h"
#include "ops/ops.h"

struct residual_norm_arg { real eps, p; };

static void
residual_norm_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	sublayer_infer(n);
	if (!normal_fits(n->in[2], n->in[3], n->d[1]))
		bug_shapes(n);
}

static size_t
residual_norm_saved(const struct node *n)
{
	return (size_t)n->d[0] * sizeof(struct norm_row) +
	       sublayer_saved(n, ((const struct residual_norm_arg *)n->arg)->p);
}

/* The masks are after the rows of the normalization. */
static struct sublayer
residual_norm_sublayer(struct node *n, const struct pass *p)
{
	return sublayer_of(n, p, ((const struct residual_norm_arg *)n->arg)->p,
			   (struct norm_row *)n->saved + n->d[0]);
}

static void
residual_norm_do_rows(void *arg, int from, int to)
{
	const struct sublayer *s = arg;
	const struct node *n = s->n;
	struct norm_row *saved = n->saved;

	for (int r = from; r < to; r++) {
		real *y = n->x + (ptrdiff_t)r * n->ld;

		sublayer_draw(s, r);
		sublayer_row(s, r, y);
		saved[r] = normal_of(n->d[1], ((const struct residual_norm_arg *)n->arg)->eps, y,
				     n->in[2], n->in[3], y);
	}
}

static void
residual_norm_forward(struct node *n, struct pass *p)
{
	struct sublayer s = residual_norm_sublayer(n, p);

	pass_ranges(p, n->d[0], n->d[1], residual_norm_do_rows, &s);
}

static const real *
residual_norm_row(const struct node *n, const void *arg, int r, real *room)
{
	(void)n;
	sublayer_row(arg, r, room);
	return room;
}

static void
residual_norm_gradient(struct node *n, struct pass *p)
{
	struct sublayer s = residual_norm_sublayer(n, p);
	struct normal m = { n, n->in[2], n->in[3], residual_norm_row, &s };
	real *g = grad_writable(p, n);

	normal_gradient(&m, p, g, 0, g, n->ld);
	sublayer_gradient(&s, p, g, false);
	if (g != n->grad || !grad_move(p, n, s.x)) {
		s.y = NULL;
		sublayer_gradient(&s, p, g, true);
	}
}

static void
residual_norm_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct sublayer s = sublayer_of(n, p, 0, NULL);
	struct normal m = { n, n->in[2], n->in[3], residual_norm_row, &s };
	real *sum = arena_zero(p->scratch,
			       (size_t)(rel_planes(p) * rel_step(n)) * sizeof(*sum));

	normal_relevance(&m, p, lrp, sum);
	rel_rescale(p, n, sum);
	sublayer_relevance(&s, p, lrp, sum);
}

static struct node *
case_residual_norm_dropout(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *x = case_rows(b, l, 18), *y = case_rows(b, l, 18);

	return op_residual_norm(case_tape(b), x, y, case_param(b, 1, 18, 0),
				case_param(b, 1, 18, 0),
				(real)1e-5, (real)0.3);
}

static struct node *
case_used_twice(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = op_scale(t, case_rows(b, case_layout(b, CASE_SOURCE), 6), 2);
	struct node *y = op_linear(t, x, case_param(b, 2, 6, 6), NULL);

	return op_residual_norm(t, x, y, case_param(b, 1, 6, 0), case_param(b, 1, 6, 0), (real)1e-3,
				0);
}

static struct node *
case_residual_rms(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *x = case_rows(b, l, 18), *y = case_rows(b, l, 18);

	return op_residual_norm(case_tape(b), x, y, case_param(b, 1, 18, 0), NULL, (real)1e-6,
				(real)0.3);
}

static const struct op_case cases[] = {
	{ "dropout", case_residual_norm_dropout, 0 },
	{ "root mean square", case_residual_rms, 0 },
	{ "a sublayer's input used twice", case_used_twice, 0 },
	{ 0 }
};

const struct op ops_residual_norm = {
	.name = "residual-norm",
	.formula = "y = norm(x + dropout(y))",
	.flags = OP_RANDOM | OP_PLANES,
	.infer = residual_norm_infer,
	.saved = residual_norm_saved,
	.forward = residual_norm_forward,
	.gradient = residual_norm_gradient,
	.relevance = residual_norm_relevance,
	.cases = cases,
};

/* norm(x + dropout(y)); bias may be NULL, as in op_norm() */
struct node *
op_residual_norm(struct tape *t, struct node *x, struct node *y, struct node *gain,
		 struct node *bias, real eps, real p)
{
	struct residual_norm_arg a = { eps, p };

	return tape_apply(t, &ops_residual_norm, 4, (struct node *[]){ x, y, gain, bias }, &a,
			  sizeof(a));
}
