/*
 * neighbours: each row with the rows around it in its sentence, side by side: the input of a
 * convolution.
 */
#include "base/err.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"

struct neighbours_arg { int before, after; };

static void
neighbours_infer(struct node *n, struct arena *mem)
{
	const struct node *x = n->in[0];
	const struct neighbours_arg *a = n->arg;

	(void)mem;
	if (x->block || x->n_dim != 2 || !x->rows || a->before < 0 || a->after < 0)
		bug_shapes(n);
	infer_like(n, x);
	n->d[1] = x->d[1] * (a->before + 1 + a->after);
	n->ld = n->d[1];
}

struct neighbours_job { const struct node *n; real *x; const real *y; bool back; };

/*
 * Copies row r + shift of the sentence to row r, zeros outside of the sentence; with back, adds the
 * gradient of row r to row r + shift.
 */
static void
one_row(const struct neighbours_job *j, int r, int first, int end)
{
	const struct node *in = j->n->in[0];
	const struct neighbours_arg *a = j->n->arg;
	size_t d = (size_t)in->d[1];

	for (int shift = -a->before; shift <= a->after; shift++) {
		ptrdiff_t at =
			(ptrdiff_t)r * j->n->d[1] + (ptrdiff_t)(shift + a->before) * in->d[1];
		ptrdiff_t from = (ptrdiff_t)(r + shift) * in->ld;
		bool there = r + shift >= first && r + shift < end;

		if (j->back && there)
			k_add(d, j->x + from, j->y + at, j->x + from);
		else if (!j->back && there)
			k_copy(d, j->x + from, j->n->x + at);
		else if (!j->back)
			k_zero(d, j->n->x + at);
	}
}

static void
some_sentences(void *arg, int from, int to)
{
	const struct neighbours_job *j = arg;
	const struct layout *l = j->n->rows;

	for (int i = from; i < to; i++)
		for (int r = l->start[i]; r < l->start[i] + l->len[i]; r++)
			one_row(j, r, l->start[i], l->start[i] + l->len[i]);
}

static void
neighbours_run(const struct node *n, struct pass *p, struct neighbours_job j)
{
	const int a_sentence = 16;	/* approximate number of rows */

	j.n = n;
	pass_ranges(p, n->rows->n, n->d[1] * a_sentence, some_sentences, &j);
}

static void
neighbours_forward(struct node *n, struct pass *p)
{
	neighbours_run(n, p, (struct neighbours_job){ .x = n->in[0]->x });
}

static void
neighbours_gradient(struct node *n, struct pass *p)
{
	struct node *in = n->in[0];
	real beta, *g = grad_of(p, in, &beta);

	if (!g)
		return;
	for (int r = 0; beta == 0 && r < in->d[0]; r++)
		k_zero((size_t)in->d[1], g + (ptrdiff_t)r * in->ld);
	neighbours_run(n, p, (struct neighbours_job){ .x = g, .y = n->grad, .back = true });
}

static void
neighbours_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	real *rel = rel_of(p, n->in[0]);

	(void)lrp;
	if (rel)
		neighbours_run(n, p, (struct neighbours_job){ .x = rel, .y = n->rel,
							      .back = true });
}

static struct node *
case_both_sides(struct case_bench *b)
{
	return op_neighbours(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 5), 2, 1);
}

static struct node *
case_neighbours_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);

	return op_neighbours(t, op_columns(t, case_rows(b, case_layout(b, CASE_SOURCE), 6), 2, 3),
			     0, 1);
}

static struct node *
case_neighbours_shared(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = op_scale(t, case_rows(b, case_layout(b, CASE_SOURCE), 4), 2);

	return op_add(t, op_neighbours(t, x, 1, 0), op_neighbours(t, x, 0, 1));
}

/* Positions outside of the sentence are zeros, so that relevance assigned there is lost. */
static const struct op_case cases[] = {
	{ "two before, one after", case_both_sides, CASE_NO_RELEVANCE },
	{ "a view", case_neighbours_view, CASE_NO_RELEVANCE },
	{ "the same rows twice", case_neighbours_shared, CASE_NO_RELEVANCE },
	{ 0 }
};

const struct op ops_neighbours = {
	.name = "neighbours",
	.formula = "y_r = [x_{r-before} ... x_{r+after}], zeros outside of the sentence",
	.flags = OP_LINEAR,
	.infer = neighbours_infer,
	.forward = neighbours_forward,
	.gradient = neighbours_gradient,
	.relevance = neighbours_relevance,
	.cases = cases,
};

/*
 * [x_{r-before} ... x_{r+after}], [R,(before+1+after)*D]; zeros for rows outside of the sentence.
 */
struct node *
op_neighbours(struct tape *t, struct node *x, int before, int after)
{
	struct neighbours_arg a = { before, after };

	return tape_apply(t, &ops_neighbours, 1, &x, &a, sizeof(a));
}
