/* bag: sums of rows of a table, such as the features of a word. */
#include "base/err.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"

#ifndef OPS_H
struct bag { const struct layout *rows; const int *start, *id; };
#endif

enum { BAND = 64 };		/* columns per task of the backward pass */

static void
bag_infer(struct node *n, struct arena *mem)
{
	const struct bag *b = n->arg;

	(void)mem;
	if (n->in[0]->n_dim != 2)
		bug_shapes(n);
	n->n_dim = 2;
	n->d[0] = b->rows->rows;
	n->d[1] = n->in[0]->d[1];
	n->rows = b->rows;
}

static void
sum_rows(void *arg, int from, int to)
{
	struct node *n = arg, *table = n->in[0];
	const struct bag *b = n->arg;
	int d = n->d[1];

	for (int r = from; r < to; r++) {
		real *y = n->x + (ptrdiff_t)r * d;

		k_zero((size_t)d, y);
		for (int k = b->start[r]; k < b->start[r + 1]; k++) {
			if (b->id[k] < 0 || b->id[k] >= table->d[0])
				bug("bag: row %d of a table with %d rows", b->id[k], table->d[0]);
			k_add((size_t)d, y, table->x + (ptrdiff_t)b->id[k] * table->ld, y);
		}
	}
}

static void
bag_forward(struct node *n, struct pass *p)
{
	pass_ranges(p, n->d[0], n->d[1], sum_rows, n);
}

struct scatter { struct node *n; real *to; };

/* All rows of some columns: no two threads write the same element, and sums keep their order. */
static void
bag_scatter_columns(void *arg, int from, int to)
{
	const struct scatter *s = arg;
	const struct node *n = s->n;
	const struct bag *b = n->arg;
	int first = from * BAND, last = to * BAND < n->d[1] ? to * BAND : n->d[1];

	for (int r = 0; r < n->d[0]; r++)
		for (int k = b->start[r]; k < b->start[r + 1]; k++) {
			real *to_row = s->to + (ptrdiff_t)b->id[k] * n->in[0]->ld + first;

			k_add((size_t)(last - first), to_row,
			      n->grad + (ptrdiff_t)r * n->d[1] + first, to_row);
		}
}

static void
bag_gradient(struct node *n, struct pass *p)
{
	real beta;
	struct scatter s = { n, grad_of(p, n->in[0], &beta) };

	if (!s.to)
		return;
	if (beta == 0)
		k_zero(node_size(n->in[0]), s.to);
	pass_ranges(p, (n->d[1] + BAND - 1) / BAND, 1 << 20, bag_scatter_columns, &s);
}

/* Bags of 0, 1, 2 or 3 ids in 0 ... below - 1, with repetitions. */
static struct node *
case_of_width(struct case_bench *b, int width)
{
	enum { BELOW = 5 };
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	const int *many = case_ints(b, l, 4), *what = case_ints(b, l, BELOW);
	int *start = ARENA_ARRAY(tape_arena(t), int, l->rows + 1);
	int *id = ARENA_ARRAY(tape_arena(t), int, 3 * l->rows);

	start[0] = 0;
	for (int r = 0; r < l->rows; r++) {
		start[r + 1] = start[r];
		for (int k = 0; k < many[r]; k++)
			id[start[r + 1]++] = (what[r] + 2 * k * k) % BELOW;
	}
	return op_bag(t, case_param(b, 2, BELOW, width), &(struct bag){ l, start, id });
}

static struct node *
case_narrow(struct case_bench *b)
{
	return case_of_width(b, 3);
}

static struct node *
case_wide(struct case_bench *b)
{
	return case_of_width(b, BAND + 2);
}

static const struct op_case cases[] = {
	{ "up to three entries", case_narrow, CASE_NO_RELEVANCE },
	{ "more than one band of columns", case_wide, CASE_NO_RELEVANCE },
	{ 0 }
};

const struct op ops_bag = {
	.name = "bag",
	.formula = "y_r = sum of table[id], over the ids of r",
	.infer = bag_infer,
	.forward = bag_forward,
	.gradient = bag_gradient,
	.relevance = relevance_none,
	.cases = cases,
};

/*
 * y[r] = sum of table[id[k]] for k in start[r] ... start[r+1] - 1.  start has one element more than
 * there are rows.  start and id must outlive the tape.  The gradient of the table is 0 in rows that
 * do not occur.
 */
struct node *
op_bag(struct tape *t, struct node *table, const struct bag *b)
{
	return tape_apply(t, &ops_bag, 1, &table, b, sizeof(*b));
}
