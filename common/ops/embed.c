/* embed: rows of a table, scaled, with positions, a bias and dropout. */
#include "base/err.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tape/params.h"
#include "tensor/kernels.h"

#ifndef OPS_H
struct embed {
	const struct layout *rows;
	const int *id, *pos;
	const real *positions;		/* or NULL */
	struct node *learned;		/* [P,D]: positions that are a parameter, or NULL */
	real scale, p;
};
#endif

static void
embed_infer(struct node *n, struct arena *mem)
{
	const struct embed *e = n->arg;
	const struct node *table = n->in[0], *bias = n->in[1], *learned = n->in[2];

	(void)mem;
	if (table->n_dim != 2 || (bias && (bias->n_dim != 1 || bias->d[0] != table->d[1])) ||
	    (learned && (learned->n_dim != 2 || learned->d[1] != table->d[1])))
		bug_shapes(n);
	n->n_dim = 2;
	n->d[0] = e->rows->rows;
	n->d[1] = table->d[1];
	n->rows = e->rows;
}

struct embed_job {
	struct node *n;
	const struct embed *e;
	struct dropout d;
	real *g;
	struct sums *sums;
};

static struct embed_job
embed_job_of(struct node *n, const struct pass *p)
{
	struct embed_job j = { .n = n, .e = n->arg };

	dropout_init(&j.d, p->seed, p->step, n->id, p->training ? (double)j.e->p : 0);
	return j;
}

static uint32_t
embed_key(const struct embed_job *j, int r)
{
	return j->e->rows->key ? j->e->rows->key[r] : (uint32_t)r;
}

/* The position vector that is added to row r, or NULL. */
static const real *
embed_position(const struct embed_job *j, int r)
{
	const struct node *learned = j->n->in[2];

	if (!learned)
		return j->e->positions ? j->e->positions + (ptrdiff_t)j->e->pos[r] * j->n->d[1]
				       : NULL;
	if (j->e->pos[r] < 0 || j->e->pos[r] >= learned->d[0])
		bug("embed: position %d of a table with %d rows", j->e->pos[r], learned->d[0]);
	return learned->x + (ptrdiff_t)j->e->pos[r] * learned->ld;
}

/* Row id of the table; that of a narrow one at `room`. */
static const real *
embed_row(const struct node *table, int id, real *room)
{
	if (!table->narrow)
		return table->x + (ptrdiff_t)id * table->ld;
	param_row(table->narrow, id, room);
	return room;
}

static void
embed_do_rows(void *arg, int from, int to)
{
	const struct embed_job *j = arg;
	const struct node *table = j->n->in[0], *bias = j->n->in[1];
	int d = j->n->d[1];

	for (int r = from; r < to; r++) {
		real *y = j->n->x + (ptrdiff_t)r * d;
		int id = j->e->id[r];

		if (id >= table->d[0] || id < -1)
			bug("embed: id %d of a table with %d rows", id, table->d[0]);
		k_embed(d, j->e->scale, id < 0 ? NULL : embed_row(table, id, y),
			bias ? bias->x : NULL, embed_position(j, r), y);
		if (j->d.threshold)
			k_dropout(&j->d, embed_key(j, r), d, y, 0, y);
	}
}

/*
 * Unused rows of a layout have undefined id and pos, so that such layouts are processed by
 * sentence.
 */
static void
do_sentences(void *arg, int from, int to)
{
	const struct embed_job *j = arg;
	const struct layout *l = j->e->rows;

	for (int i = from; i < to; i++)
		embed_do_rows(arg, l->start[i], l->start[i] + l->len[i]);
}

static void
embed_forward(struct node *n, struct pass *p)
{
	struct embed_job j = embed_job_of(n, p);

	if (layout_used(j.e->rows) == n->d[0]) {
		pass_ranges(p, n->d[0], n->d[1], embed_do_rows, &j);
		return;
	}
	k_zero(node_size(n), n->x);
	pass_ranges(p, j.e->rows->n, n->d[1] * 16, do_sentences, &j);
}

/* Applies the dropout mask to the gradient, and sums the gradient of the bias. */
static void
embed_back_rows(void *arg, int from, int to)
{
	const struct embed_job *j = arg;
	int d = j->n->d[1];

	for (int r = from; r < to; r++) {
		real *g = j->g + (ptrdiff_t)r * d, *sum = sums_of(j->sums, from);

		if (j->d.threshold)
			k_dropout(&j->d, embed_key(j, r), d, g, 0, g);
		if (j->e->id[r] >= 0)
			k_add((size_t)d, sum, g, sum);
	}
}

/* Adds rows of the gradient to rows row[r] of to, in->ld apart; -1 skips a row. */
struct scatter {
	const struct embed_job *j;
	const struct node *in;
	const int *row;
	real scale, *to;
};

/* All rows of some columns: no two threads write the same element, and sums keep their order. */
static void
scatter_columns(void *arg, int from, int to)
{
	const struct scatter *s = arg;
	const struct node *n = s->j->n;
	enum { BAND = 64 };
	int first = from * BAND, last = to * BAND < n->d[1] ? to * BAND : n->d[1];

	for (int r = 0; r < n->d[0]; r++)
		if (s->row[r] >= 0)
			k_axpby((size_t)(last - first), s->scale,
				s->j->g + (ptrdiff_t)r * n->d[1] + first, 1,
				s->to + (ptrdiff_t)s->row[r] * s->in->ld + first);
}

/* Adds the gradient of a table whose row row[r] was used for row r, times scale. */
static void
table_gradient(const struct embed_job *j, struct pass *p, struct node *table, const int *row,
	       real scale)
{
	struct scatter s = { .j = j, .in = table, .row = row, .scale = scale };
	real beta;

	s.to = grad_of(p, table, &beta);
	if (!s.to)
		return;
	if (beta == 0)
		k_zero(node_size(table), s.to);
	pass_ranges(p, (j->n->d[1] + 63) / 64, 1 << 20, scatter_columns, &s);
}

static void
embed_gradient(struct node *n, struct pass *p)
{
	struct embed_job j = embed_job_of(n, p);
	struct sums sums;
	real beta, *bias = grad_of(p, n->in[1], &beta);

	j.g = grad_writable(p, n);
	j.sums = &sums;
	sums_begin(&sums, p, n->d[0], n->d[1]);
	sums_run(&sums, p, embed_back_rows, &j);
	if (bias)
		sums_end(&sums, p, beta, bias);
	table_gradient(&j, p, n->in[0], j.e->id, j.e->scale);
	if (n->in[2])
		table_gradient(&j, p, n->in[2], j.e->pos, 1);
}

static real *
scaled_positions(struct case_bench *b)
{
	return (real *)(uintptr_t)case_constants(b, 8 * 5);
}

static struct node *
case_positions(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct embed e = {
		.rows = l, .id = case_ints(b, l, 6), .pos = case_ints(b, l, 8),
		.positions = scaled_positions(b), .scale = (real)1.5, .p = (real)0.3,
	};

	return op_embed(case_tape(b), case_param(b, 2, 6, 5), case_param(b, 1, 5, 0), &e);
}

static struct node *
case_embed_plain(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);
	const int *id = case_ints(b, l, 4);
	int *with_none = ARENA_ARRAY(tape_arena(case_tape(b)), int, l->rows);
	struct embed e = { .rows = l, .id = with_none, .scale = 1 };

	for (int r = 0; r < l->rows; r++)
		with_none[r] = id[r] - 1;
	return op_embed(case_tape(b), case_param(b, 2, 3, 70), case_param(b, 1, 70, 0), &e);
}

static struct node *
case_learned(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct embed e = {
		.rows = l, .id = case_ints(b, l, 6), .pos = case_ints(b, l, 4),
		.scale = (real)1.5, .p = (real)0.3,
	};
	struct node *table = case_param(b, 2, 6, 70);

	e.learned = case_param(b, 2, 4, 70);
	return op_embed(case_tape(b), table, NULL, &e);
}

static const struct op_case cases[] = {
	{ "positions, bias, dropout", case_positions, CASE_NO_RELEVANCE },
	{ "trained positions", case_learned, CASE_NO_RELEVANCE },
	{ "zero vectors", case_embed_plain, CASE_NO_RELEVANCE },
	{ 0 }
};

const struct op ops_embed = {
	.name = "embed",
	.formula = "y = dropout(scale table[id] + bias + positions[pos])",
	.flags = OP_LINEAR | OP_RANDOM,
	.infer = embed_infer,
	.forward = embed_forward,
	.gradient = embed_gradient,
	.relevance = relevance_none,
	.cases = cases,
};

/*
 * x[r] = dropout(scale * table[id[r]] + position[pos[r]] (+ bias)).  table is [V,D], bias [D] or
 * NULL; positions [P,D] are constant, or a parameter if learned.  id and pos have an element for
 * each row of the layout and must outlive the tape.  An id of -1 gives a zero vector without bias,
 * to which the position is added.  The gradients of the tables are 0 in rows that do not occur.
 */
struct node *
op_embed(struct tape *t, struct node *table, struct node *bias, const struct embed *e)
{
	return tape_apply(t, &ops_embed, 3, (struct node *[]){ table, bias, e->learned }, e,
			  sizeof(*e));
}
