/* replace: a matrix with some of its columns replaced. */
#include "base/err.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"

struct replace_arg { int from; };

static int
from_of(const struct node *n)
{
	return ((const struct replace_arg *)n->arg)->from;
}

static void
replace_infer(struct node *n, struct arena *mem)
{
	const struct node *x = n->in[0], *part = n->in[1];

	(void)mem;
	if (x->block || x->n_dim != 2 || part->n_dim != 2 || part->d[0] != x->d[0])
		bug_shapes(n);
	if (from_of(n) < 0 || part->d[1] > x->d[1] - from_of(n))
		bug("replace: %d columns from %d of a matrix with %d columns", part->d[1],
		    from_of(n), x->d[1]);
	infer_like(n, x);
}

/* Copies columns [from, from + n) of rows. */
struct replace_job {
	const real *x;
	real *to, beta;
	ptrdiff_t ldx, ldt;
	int n;
};

static void
replace_copy_rows(void *arg, int from, int to)
{
	const struct replace_job *j = arg;

	for (int r = from; r < to && j->n; r++)
		k_axpby((size_t)j->n, 1, j->x + r * j->ldx, j->beta, j->to + r * j->ldt);
}

static void
zero_rows(void *arg, int from, int to)
{
	const struct replace_job *j = arg;

	for (int r = from; r < to && j->beta == 0; r++)
		k_zero((size_t)j->n, j->to + r * j->ldt);
}

/* The columns before, of, and after the part; all rows are processed. */
struct span { int from, n; };

static struct span
replace_span_of(const struct node *n, int which)
{
	const int from = from_of(n), width = n->in[1]->d[1], all = n->d[1];

	return which == 0 ? (struct span){ 0, from }
	     : which == 1 ? (struct span){ from, width }
			  : (struct span){ from + width, all - from - width };
}

static void
replace_forward(struct node *n, struct pass *p)
{
	for (int i = 0; i < 3; i++) {
		const struct span s = replace_span_of(n, i);
		const struct node *in = n->in[i == 1];
		struct replace_job j = { .x = in->x + (i == 1 ? 0 : s.from), .ldx = in->ld,
					 .to = n->x + s.from, .ldt = n->ld,
					 .n = s.n };

		pass_ranges(p, n->d[0], s.n + 1, replace_copy_rows, &j);
	}
}

/* Passes each range of columns to the input that it came from; replaced columns of x get 0. */
static void
send(struct node *n, struct pass *p, const real *x, int input, real *y, real beta)
{
	for (int i = 0; y && i < 3; i++) {
		const struct span s = replace_span_of(n, i);
		struct replace_job j = { .x = x + s.from, .ldx = n->ld, .ldt = n->in[input]->ld,
					 .n = s.n, .beta = beta,
					 .to = y + (input ? 0 : s.from) };

		if ((i == 1) == (input == 1))
			pass_ranges(p, n->d[0], s.n + 1, replace_copy_rows, &j);
		else if (input == 0)
			pass_ranges(p, n->d[0], s.n + 1, zero_rows, &j);
	}
}

static void
replace_gradient(struct node *n, struct pass *p)
{
	for (int k = 0; k < 2; k++) {
		real beta, *to = grad_of(p, n->in[k], &beta);

		send(n, p, n->grad, k, to, beta);
	}
}

static void
replace_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	(void)lrp;
	for (int k = 0; k < 2; k++)
		send(n, p, n->rel, k, rel_of(p, n->in[k]), 1);
}

static struct node *
case_middle(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);

	return op_replace(case_tape(b), case_rows(b, l, 7), case_rows(b, l, 3), 2);
}

static struct node *
case_replace_views(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = case_rows(b, case_layout(b, CASE_TARGET), 9);

	return op_replace(t, op_columns(t, x, 1, 6), op_columns(t, x, 5, 2), 0);
}

static const struct op_case cases[] = {
	{ "columns in the middle", case_middle, 0 },
	{ "the first columns, overlapping views", case_replace_views, 0 },
	{ 0 }
};

const struct op ops_replace = {
	.name = "replace",
	.formula = "y = x, but y[:, from ...] = part",
	.infer = replace_infer,
	.forward = replace_forward,
	.gradient = replace_gradient,
	.relevance = replace_relevance,
	.cases = cases,
};

/* A copy of x whose columns from first on are replaced by part. */
struct node *
op_replace(struct tape *t, struct node *x, struct node *part, int first)
{
	return tape_apply(t, &ops_replace, 2, (struct node *[]){ x, part },
			  &(struct replace_arg){ first },
			  sizeof(struct replace_arg));
}
