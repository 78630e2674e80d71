/*
 * relative-values: adds a vector for the relative position of each key to the head output.
 *
 * Shaw, Uszkoreit and Vaswani 2018, Self-attention with relative position representations, equation
 * 3 without its first term, which is op_context().  Weights are summed by distance and multiplied
 * by the table.
 */
#include "ops/kit/distances.h"
#include "ops/kit/elementwise.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

struct values_arg { const struct labels *labels; };

static const struct labels *
relative_values_labels_of(const struct node *n)
{
	return ((const struct values_arg *)n->arg)->labels;
}

static void
relative_values_infer(struct node *n, struct arena *mem)
{
	const struct node *z = n->in[0], *w = n->in[1], *table = n->in[2];

	(void)mem;
	if (z->n_dim != 2 || z->d[0] != w->queries->rows ||
	    !distances_fit(w, table, relative_values_labels_of(n), z->d[1]))
		bug_shapes(n);
	infer_like(n, z);
}

static void
relative_values_forward(struct node *n, struct pass *p)
{
	const struct node *z = n->in[0], *w = n->in[1];
	const struct distances d = distances_begin(p, w, n->in[2], relative_values_labels_of(n));

	distances_from_cells(&d, p, w->x);
	pass_elements(p, 2, (real *[]){ z->x, n->x }, (const struct node *[]){ z, n },
		      elementwise_plus, &(real){ 0 });
	distances_to_rows(&d, p, 1, 1, n->x, n->ld);
}

static void
relative_values_gradient(struct node *n, struct pass *p)
{
	struct node *z = n->in[0], *w = n->in[1];
	const struct distances d = distances_begin(p, w, n->in[2], relative_values_labels_of(n));
	real beta, *to;

	distances_from_cells(&d, p, w->x);
	distances_gradient(&d, p, 1, n->grad, n->ld);
	to = grad_of(p, w, &beta);
	if (to) {
		distances_from_rows(&d, p, 1, n->grad, n->ld);
		distances_to_cells(&d, p, beta != 0 ? to : NULL, to);
	}
	elementwise_pass(n, p, z);
}

struct tracing { struct node *n; real *z, *w; struct share share; };

/* The head output, unchanged, and a product for each key contribute to each element. */
static void
relative_values_trace_one(void *arg, int sentence, real *room)
{
	const struct tracing *t = arg;
	const struct node *n = t->n, *z = n->in[0], *w = n->in[1], *table = n->in[2];
	int d = table->d[1], keys = w->keys->len[sentence];
	real *by = room, *x = by + keys + 1, *rel = x + keys + 1;

	for (struct score_row s = heads_first_row(w, sentence); s.h < w->heads;
	     heads_next_row(&s)) {
		const ptrdiff_t i = s.i, cell = s.cell;
		const int h = s.h;
		ptrdiff_t row = w->queries->start[sentence] + i;

		k_copy((size_t)keys, w->x + cell, x);
		for (int c = h * d; c < (h + 1) * d; c++) {
			for (int j = 0; j < keys; j++) {
				const int far = distances_row(w, table,
						relative_values_labels_of(n), sentence, (int)i, j);

				by[j] = far < 0 ? 0 : table->x[(ptrdiff_t)far * table->ld + c -
							       h * d];
			}
			by[keys] = 1;
			x[keys] = z->x[row * z->ld + c];
			k_zero((size_t)keys + 1, rel);
			k_share(&t->share, keys + 1, by, x, 0, n->rel[row * n->ld + c], rel);
			k_add((size_t)keys, t->w + cell, rel, t->w + cell);
			t->z[row * z->ld + c] += rel[keys];
		}
	}
}

static void
relative_values_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct node *z = n->in[0], *w = n->in[1];
	struct tracing t = { n, rel_of(p, z), rel_of(p, w), lrp_share(lrp) };

	if (lrp->attention_constant)
		relevance_identity(n, p, lrp);
	else if (t.z && t.w)
		heads_run(p, w->queries->n, 3 * ((size_t)heads_longest(w->keys) + 1),
			  relative_values_trace_one, &t);
}

static struct node *
case_relative_values_self(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *s = op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 2, 1, true);

	return op_relative_values(t, case_rows(b, l, 6), op_softmax(t, s), case_param(b, 2, 5, 3),
				  NULL);
}

static struct node *
case_relative_values_labels(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *s = op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 2, 1, false);

	return op_relative_values(t, case_rows(b, l, 6), op_softmax(t, s), case_param(b, 2, 5, 3),
				  case_pairs(b, l, 5, false));
}

static struct node *
case_relative_values_two_sides(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *q = case_layout(b, CASE_TARGET), *k = case_layout(b, CASE_SOURCE);
	struct node *x = case_rows(b, q, 9);
	struct node *s =
		op_scores(t, op_columns(t, x, 0, 4), case_rows(b, k, 4), q, k, 1, 1, false);

	return op_relative_values(t, op_columns(t, x, 4, 5), s, case_param(b, 2, 13, 5),
				  NULL);
}

static const struct op_case cases[] = {
	{ "self-attention, causal", case_relative_values_self, 0 },
	{ "cross-attention, a view, unused rows of the table", case_relative_values_two_sides, 0 },
	{ "labels instead of distances", case_relative_values_labels, 0 },
	{ 0 }
};

const struct op ops_relative_values = {
	.name = "relative-values",
	.formula = "y_i = z_i + sum_j w_ij table[clip(j - i), or label of (i, j)]",
	.flags = OP_LINEAR,
	.infer = relative_values_infer,
	.forward = relative_values_forward,
	.gradient = relative_values_gradient,
	.relevance = relative_values_relevance,
	.cases = cases,
};

/*
 * context [R,H*d] + sum_j weights_ij table[j - i], with a table and labels as those of
 * op_relative()
 */
struct node *
op_relative_values(struct tape *t, struct node *context, struct node *weights, struct node *table,
		   const struct labels *labels)
{
	return tape_apply(t, &ops_relative_values, 3, (struct node *[]){ context, weights, table },
			  &(struct values_arg){ labels }, sizeof(struct values_arg));
}
