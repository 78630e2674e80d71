/* columns: a view of some columns of a matrix; its gradient and relevance are views too. */
#include "base/err.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"

struct columns_arg { int from, n; };

static void
columns_infer(struct node *n, struct arena *mem)
{
	const struct node *x = n->in[0];
	const struct columns_arg *a = n->arg;

	(void)mem;
	if (x->block || x->n_dim != 2)
		bug_shapes(n);
	if (a->from < 0 || a->n < 1 || a->n > x->d[1] - a->from)
		bug("columns: %d to %d of a matrix with %d columns", a->from, a->from + a->n,
		    x->d[1]);
	infer_like(n, x);
	n->d[1] = a->n;
	n->ld = x->ld;
	n->x = x->x + a->from;
}

/* The tape handles views. */
static void
columns_nothing(struct node *n, struct pass *p)
{
	(void)n;
	(void)p;
}

static struct node *
case_columns_view(struct case_bench *b)
{
	return op_columns(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 6), 1, 3);
}

static struct node *
case_view_of_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = op_scale(t, case_rows(b, case_layout(b, CASE_SOURCE), 7), 2);

	return op_columns(t, op_columns(t, x, 1, 5), 2, 2);
}

static const struct op_case cases[] = {
	{ "some columns", case_columns_view, 0 },
	{ "a view of a view of a computed node", case_view_of_view, 0 },
	{ 0 }
};

const struct op ops_columns = {
	.name = "columns",
	.formula = "y = x[:, from ... from + n]",
	.flags = OP_VIEW | OP_LINEAR,
	.infer = columns_infer,
	.forward = columns_nothing,
	.gradient = columns_nothing,
	.relevance = relevance_none,
	.cases = cases,
};

/* A view of columns [first, first + n). */
struct node *
op_columns(struct tape *t, struct node *x, int first, int n)
{
	struct columns_arg a = { first, n };

	return tape_apply(t, &ops_columns, 1, &x, &a, sizeof(a));
}
