/*
 * relative: adds scores of queries for the relative position of each key.
 *
 * Shaw, Uszkoreit and Vaswani 2018, Self-attention with relative position representations, equation
 * 4.  The table has a row for each distance, so that a query has few different scores; they are
 * computed once and copied to the keys.
 */
#include "ops/kit/distances.h"
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

struct relative_arg { real scale; const struct labels *labels; };

static const struct labels *
relative_labels_of(const struct node *n)
{
	return ((const struct relative_arg *)n->arg)->labels;
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
	if (q->n_dim != 2 || !distances_fit(s, table, relative_labels_of(n), q->d[1]))
		bug_shapes(n);
	infer_like(n, s);
}

static void
relative_forward(struct node *n, struct pass *p)
{
	const struct node *s = n->in[0], *q = n->in[1];
	const struct distances d = distances_begin(p, s, n->in[2], relative_labels_of(n));

	distances_from_rows(&d, p, ((const struct relative_arg *)n->arg)->scale, q->x, q->ld);
	distances_to_cells(&d, p, s->x, n->x);
}

static void
relative_gradient(struct node *n, struct pass *p)
{
	struct node *s = n->in[0], *q = n->in[1];
	const struct distances d = distances_begin(p, s, n->in[2], relative_labels_of(n));
	real scale = ((const struct relative_arg *)n->arg)->scale, beta, *to;

	distances_from_cells(&d, p, n->grad);
	to = grad_of(p, q, &beta);
	if (to)
		distances_to_rows(&d, p, scale, beta, to, q->ld);
	distances_gradient(&d, p, scale, q->x, q->ld);
	elementwise_pass(n, p, s);
}

struct tracing { struct node *n; real *s, *q; struct share share; };

/* The score, unchanged, and the products of the query's elements contribute to each sum. */
static void
relative_trace_one(void *arg, int sentence, real *room)
{
	const struct tracing *t = arg;
	struct node *n = t->n, *q = n->in[1], *table = n->in[2];
	int d = head_width(n);
	real *w = room, *x = room + d + 1, *rel = room + 2 * (d + 1);
	real scale = ((const struct relative_arg *)n->arg)->scale;

	for (struct score_row s = heads_first_row(n, sentence); s.h < n->heads;
	     heads_next_row(&s)) {
		const ptrdiff_t i = s.i, cell = s.cell;
		ptrdiff_t row = (n->queries->start[sentence] + i) * q->ld + (ptrdiff_t)s.h * d;

		for (int j = 0; j < n->keys->len[sentence]; j++) {
			const int far = distances_row(n, table, relative_labels_of(n), sentence,
						      (int)i, j);

			if (far < 0)
				t->s[cell + j] += n->rel[cell + j];
			if (far < 0 || n->rel[cell + j] == 0)
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
relative_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct tracing t = { n, rel_of(p, n->in[0]), rel_of(p, n->in[1]), lrp_share(lrp) };

	if (t.s && t.q && !lrp->attention_constant)
		heads_run(p, n->queries->n, 3 * (size_t)(head_width(n) + 1), relative_trace_one,
			  &t);
}

static struct node *
case_relative_self(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *x = case_rows(b, l, 6);
	struct node *s = op_scores(t, x, case_rows(b, l, 6), l, l, 2, 1, false);

	return op_relative(t, s, x, case_param(b, 2, 5, 3), (real)0.7, NULL);
}

static struct node *
case_relative_two_sides(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *q = case_layout(b, CASE_TARGET), *k = case_layout(b, CASE_SOURCE);
	struct node *x = case_rows(b, q, 8);
	struct node *left = op_columns(t, x, 0, 4);
	struct node *s = op_scores(t, left, case_rows(b, k, 4), q, k, 1, 1, false);

	s = op_relative(t, s, op_columns(t, x, 4, 4), case_param(b, 2, 3, 4), 1, NULL);
	return op_softmax(t, s);
}

static struct node *
case_relative_labels(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *x = case_rows(b, l, 6);
	struct node *s = op_scores(t, x, case_rows(b, l, 6), l, l, 2, 1, false);

	return op_relative(t, s, x, case_param(b, 2, 5, 3), 1, case_pairs(b, l, 5, false));
}

static const struct op_case cases[] = {
	{ "self-attention, queries twice", case_relative_self, 0 },
	{ "cross-attention, views, under a softmax", case_relative_two_sides, 0 },
	{ "labels instead of distances", case_relative_labels, 0 },
	{ 0 }
};

const struct op ops_relative = {
	.name = "relative",
	.formula = "y_ij = s_ij + scale q_i . table[clip(j - i), or label of (i, j)]",
	.infer = relative_infer,
	.forward = relative_forward,
	.gradient = relative_gradient,
	.relevance = relative_relevance,
	.cases = cases,
};

/*
 * scores + scale q_i . table[j - i].  The table [2k+1,d] is shared by the heads; j - i is clipped
 * to -k ... k, and its middle row is for 0.  If S_i is not T_i, the last query has the position of
 * the last key.  With labels, each pair has the row of its label, the scores of sentences without
 * labels are unchanged, and queries must be the keys.
 */
struct node *
op_relative(struct tape *t, struct node *scores, struct node *q, struct node *table, real scale,
	    const struct labels *labels)
{
	struct relative_arg a = { scale, labels };
	struct node *in[] = { scores, q, table };

	return tape_apply(t, &ops_relative, 3, in, &a, sizeof(a));
}
