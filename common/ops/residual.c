/* residual: x + dropout(y). */
#include "ops/kit/op-case.h"
#include "ops/kit/sublayer.h"
#include "ops/ops.h"

struct residual_arg { real p; };

static void
residual_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	sublayer_infer(n);
}

static size_t
residual_saved(const struct node *n)
{
	return sublayer_saved(n, ((const struct residual_arg *)n->arg)->p);
}

static void
residual_do_rows(void *arg, int from, int to)
{
	const struct sublayer *s = arg;

	for (int r = from; r < to; r++) {
		sublayer_draw(s, r);
		sublayer_row(s, r, s->n->x + (ptrdiff_t)r * s->n->ld);
	}
}

static struct sublayer
residual_sublayer(struct node *n, const struct pass *p)
{
	return sublayer_of(n, p, ((const struct residual_arg *)n->arg)->p, n->saved);
}

static void
residual_forward(struct node *n, struct pass *p)
{
	struct sublayer s = residual_sublayer(n, p);

	pass_ranges(p, n->d[0], n->d[1], residual_do_rows, &s);
}

static void
residual_gradient(struct node *n, struct pass *p)
{
	struct sublayer s = residual_sublayer(n, p);

	sublayer_gradient(&s, p, n->grad, false);
	if (!grad_move(p, n, s.x)) {
		s.y = NULL;
		sublayer_gradient(&s, p, n->grad, true);
	}
}

static void
residual_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct sublayer s = sublayer_of(n, p, 0, NULL);

	sublayer_relevance(&s, p, lrp, n->rel);
}

static struct node *
case_residual_dropout(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);

	return op_residual(case_tape(b), case_rows(b, l, 6), case_rows(b, l, 6), (real)0.3);
}

static struct node *
case_residual_views(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = case_rows(b, case_layout(b, CASE_SOURCE), 7);

	return op_residual(t, op_columns(t, x, 0, 4), op_columns(t, x, 2, 4), 0);
}

static const struct op_case cases[] = {
	{ "dropout", case_residual_dropout, 0 },
	{ "overlapping views", case_residual_views, 0 },
	{ 0 }
};

const struct op ops_residual = {
	.name = "residual",
	.formula = "z = x + dropout(y)",
	.flags = OP_LINEAR | OP_RANDOM | OP_PLANES,
	.infer = residual_infer,
	.saved = residual_saved,
	.forward = residual_forward,
	.gradient = residual_gradient,
	.relevance = residual_relevance,
	.cases = cases,
};

/* x + dropout(y) */
struct node *
op_residual(struct tape *t, struct node *x, struct node *y, real p)
{
	struct residual_arg a = { p };

	return tape_apply(t, &ops_residual, 2, (struct node *[]){ x, y }, &a, sizeof(a));
}
