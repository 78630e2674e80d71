/*
 * relative: scores of queries for how far away a key is, added to those for the key itself.
 *
 * Shaw, Uszkoreit and Vaswani 2018, Self-attention with relative position representations,
 * equation 4: with one row of the table for each distance there are only so many different scores
 * a query, which are computed once and handed out.
 */
#include <string.h>

#include "ops/ops.h"
#include "tape/heads.h"
#include "tape/op-case.h"
#include "tensor/product.h"

struct arg { real scale; };

/* The table has 2 reach + 1 rows; how wide a head is. */
static int
reach(const struct node *n)
{
	return n->in[2]->d[0] / 2;
}

static int
head_width(const struct node *n)
{
	return n->in[2]->d[1];
}

static void
relative_infer(struct node *n, struct arena *mem)
{
	const struct node *s = n->in[0], *q = n->in[1], *table = n->in[2];

	(void)mem;
	if (!s->block || q->n_dim != 2 || table->n_dim != 2 || table->d[0] % 2 != 1 ||
	    q->d[1] != s->heads * table->d[1])
		bug_shapes(n);
	infer_like(n, s);
}

struct job { struct node *n; real *by_distance, *to, beta; };

/* Row of the table for key j of query i: j - i, the last query standing where the last key does. */
static int
row_of(const struct node *n, int sentence, int i, int j)
{
	int k = reach(n), distance = j - i - (n->keys->len[sentence] - n->queries->len[sentence]);

	return (distance < -k ? -k : distance > k ? k : distance) + k;
}

/* Where the numbers of query i of a sentence for head h are, one a row of the table. */
static real *
at(const struct job *j, int sentence, int i, int h)
{
	const struct node *n = j->n;
	ptrdiff_t row = (ptrdiff_t)(n->queries->start[sentence] + i) * n->heads + h;

	return j->by_distance + row * n->in[2]->d[0];
}

/* What runs over all cells of a sentence's block. */
#define FOR_CELLS(n, sentence, h, i, cell) \
	for (int h = 0; h < (n)->heads; h++) \
		for (ptrdiff_t i = 0, cell = (n)->block[sentence] + \
			(ptrdiff_t)h * (n)->queries->len[sentence] * (n)->keys->len[sentence]; \
		     i < (n)->queries->len[sentence]; i++, cell += (n)->keys->len[sentence])

static void
add_one(void *arg, int sentence, real *room)
{
	const struct job *job = arg;
	struct node *n = job->n;

	(void)room;
	FOR_CELLS(n, sentence, h, i, cell) {
		const real *score = at(job, sentence, (int)i, h), *from = n->in[0]->x + cell;

		for (int j = 0; j < n->keys->len[sentence]; j++)
			n->x[cell + j] = from[j] + score[row_of(n, sentence, (int)i, j)];
	}
}

/* c [R, table rows] of each head. */
static void
multiply(struct node *n, struct pass *p, struct gemm g, int head_a, int head_b, int head_c)
{
	for (int h = 0; h < n->heads; h++) {
		struct gemm one = g;

		one.a += (ptrdiff_t)h * head_a;
		one.b += (ptrdiff_t)h * head_b;
		one.c += (ptrdiff_t)h * head_c;
		if (h && !head_c)
			one.beta = 1;
		product(p->backend, p->pool, p->scratch, &one, NULL, NULL);
	}
}

/* With room for all queries' numbers. */
static struct job
by_distance(struct node *n, struct pass *p)
{
	size_t numbers = (size_t)n->in[1]->d[0] * n->heads * n->in[2]->d[0];

	return (struct job){ .n = n, .by_distance = ARENA_ARRAY(p->scratch, real, numbers) };
}

static void
relative_forward(struct node *n, struct pass *p)
{
	const struct node *q = n->in[1], *table = n->in[2];
	int rows = table->d[0];
	struct job j = by_distance(n, p);
	struct gemm g = {
		.m = q->d[0], .n = rows, .k = head_width(n), .trans_b = true,
		.alpha = ((const struct arg *)n->arg)->scale, .a = q->x, .lda = q->ld,
		.b = table->x, .ldb = table->ld, .c = j.by_distance, .ldc = n->heads * rows,
	};

	multiply(n, p, g, head_width(n), 0, rows);
	heads_run(p, n->queries->n, 1, add_one, &j);
}

static void
collect_one(void *arg, int sentence, real *room)
{
	const struct job *job = arg;
	struct node *n = job->n;

	(void)room;
	FOR_CELLS(n, sentence, h, i, cell) {
		real *sum = at(job, sentence, (int)i, h);

		k_zero((size_t)n->in[2]->d[0], sum);
		for (int j = 0; j < n->keys->len[sentence]; j++)
			sum[row_of(n, sentence, (int)i, j)] += n->grad[cell + j];
	}
}

static void
pass_on(const void *arg, real *const *v, size_t n)
{
	k_axpby(n, 1, v[0], *(const real *)arg, v[1]);
}

static void
relative_gradient(struct node *n, struct pass *p)
{
	struct node *s = n->in[0], *q = n->in[1], *table = n->in[2];
	int rows = table->d[0], d = head_width(n);
	struct job j = by_distance(n, p);
	struct gemm g = {
		.m = q->d[0], .n = d, .k = rows, .alpha = ((const struct arg *)n->arg)->scale,
		.a = j.by_distance, .lda = n->heads * rows, .b = table->x, .ldb = table->ld,
	};
	real beta;

	heads_run(p, n->queries->n, 1, collect_one, &j);
	g.c = grad_of(p, q, &g.beta);
	g.ldc = q->ld;
	if (g.c)
		multiply(n, p, g, rows, 0, d);
	g.c = grad_of(p, table, &g.beta);
	g.ldc = table->ld;
	g.m = rows, g.k = q->d[0], g.trans_a = true, g.b = q->x, g.ldb = q->ld;
	if (g.c)
		multiply(n, p, g, rows, d, 0);
	if (grad_hand_on(p, n, s))
		return;
	j.to = grad_of(p, s, &beta);
	if (j.to)
		pass_elements(p, 2, (real *[]){ n->grad, j.to }, (const struct node *[]){ n, s },
			      pass_on, &beta);
}

struct tracing { struct node *n; real *s, *q; struct share share; };

/* A sum of a score, taken as it is, and of products with a query's numbers: each has its share. */
static void
trace_one(void *arg, int sentence, real *room)
{
	const struct tracing *t = arg;
	struct node *n = t->n, *q = n->in[1], *table = n->in[2];
	int d = head_width(n);
	real *w = room, *x = room + d + 1, *rel = room + 2 * (d + 1);
	real scale = ((const struct arg *)n->arg)->scale;

	FOR_CELLS(n, sentence, h, i, cell) {
		ptrdiff_t row = (n->queries->start[sentence] + i) * q->ld + (ptrdiff_t)h * d;

		for (int j = 0; j < n->keys->len[sentence]; j++) {
			int far = row_of(n, sentence, (int)i, j);

			if (n->rel[cell + j] == 0)
				continue;
			w[d] = 1;
			x[d] = n->in[0]->x[cell + j];
			for (int e = 0; e < d; e++)
				w[e] = scale * table->x[(ptrdiff_t)far * table->ld + e];
			k_copy((size_t)d, q->x + row, x);
			k_zero((size_t)d + 1, rel);
			k_share(&t->share, d + 1, w, x, 0, n->rel[cell + j], rel);
			t->s[cell + j] += rel[d];
			k_add((size_t)d, t->q + row, rel, t->q + row);
		}
	}
}

static void
relative_relevance(struct node *n, struct pass *p, const struct lrp *how)
{
	struct tracing t = { n, rel_of(p, n->in[0]), rel_of(p, n->in[1]), lrp_share(how) };

	if (t.s && t.q && !how->attention_constant)
		heads_run(p, n->queries->n, 3 * (size_t)(head_width(n) + 1), trace_one, &t);
}

static struct node *
case_self(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *x = case_rows(b, l, 6);
	struct node *s = op_scores(t, x, case_rows(b, l, 6), l, l, 2, 1, false);

	return op_relative(t, s, x, case_param(b, 2, 5, 3), (real)0.7);
}

static struct node *
case_two_sides(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *q = case_layout(b, CASE_TARGET), *k = case_layout(b, CASE_SOURCE);
	struct node *x = case_rows(b, q, 8);
	struct node *left = op_columns(t, x, 0, 4);
	struct node *s = op_scores(t, left, case_rows(b, k, 4), q, k, 1, 1, false);

	return op_softmax(t, op_relative(t, s, op_columns(t, x, 4, 4), case_param(b, 2, 3, 4), 1));
}

static const struct op_case cases[] = {
	{ "self-attention, queries twice", case_self, 0 },
	{ "two sides, views, under a softmax", case_two_sides, 0 },
	{ 0 }
};

const struct op ops_relative = {
	.name = "relative",
	.formula = "y_ij = s_ij + scale q_i . table[clip(j - i)]",
	.infer = relative_infer,
	.forward = relative_forward,
	.gradient = relative_gradient,
	.relevance = relative_relevance,
	.cases = cases,
};

struct node *
op_relative(struct tape *t, struct node *scores, struct node *q, struct node *table, real scale)
{
	struct arg a = { scale };
	struct node *in[] = { scores, q, table };

	return tape_apply(t, &ops_relative, 3, in, &a, sizeof(a));
}
