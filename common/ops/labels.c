/*
 * labels: adds a bias to the score of each pair of rows by the label of the pair, or -inf.
 *
 * Syntax-based variants use it: 0 or -inf along the arcs of a tree (Zhang et al. 2021, equation 5),
 * a value for each relative phrasal position (equation 8), a strength for each relation in a tree
 * (McDonald and Chiang 2021, section 2).
 */
#include "ops/kit/elementwise.h"
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
/*
 * A label for each pair of rows of a sentence: of[i] is [len, len] for sentence i, or NULL.
 * LABEL_NEVER marks a masked pair.  All of it must outlive the tape.
 */
struct labels {
	const unsigned char *const *of;
	int n;				/* labels are in 0 ... n - 1 */
};
enum { LABEL_NEVER = 255 };
#endif

/* The number of table elements of one head; 0 if the heads share them. */
static int
head_step(const struct node *n)
{
	const struct labels *l = n->arg;

	return n->in[1] && (int)node_size(n->in[1]) != l->n ? l->n : 0;
}

static void
labels_infer(struct node *n, struct arena *mem)
{
	const struct node *s = n->in[0], *table = n->in[1];
	const struct labels *l = n->arg;

	(void)mem;
	if (!s->block || s->queries != s->keys)
		bug_shapes(n);
	if (table && ((table->n_dim == 2 && table->ld != table->d[1]) ||
		      ((int)node_size(table) != l->n && (int)node_size(table) != s->heads * l->n)))
		bug_shapes(n);
	infer_like(n, s);
}

static void
labels_forward_one(void *arg, int i, real *room)
{
	struct node *n = arg;
	const struct labels *l = n->arg;
	const unsigned char *label = l->of[i];
	const ptrdiff_t cells = heads_cells(n, i);

	(void)room;
	for (int h = 0; h < n->heads; h++) {
		const real *from = n->in[0]->x + n->block[i] + h * cells;
		const real *table = n->in[1] ? n->in[1]->x + h * head_step(n) : NULL;
		real *to = n->x + n->block[i] + h * cells;

		if (!label)
			k_copy((size_t)cells, from, to);
		else
			k_labels((size_t)cells, label, table, l->n, from, to);
	}
}

static void
labels_forward(struct node *n, struct pass *p)
{
	heads_run(p, n->queries->n, 1, labels_forward_one, n);
}

struct labels_job { struct node *n; real *part; };

/* Each sentence has its own sums, so that the result does not depend on the number of threads. */
static void
collect_one(void *arg, int i, real *room)
{
	const struct labels_job *j = arg;
	const struct node *n = j->n;
	const struct labels *l = n->arg;
	const ptrdiff_t cells = heads_cells(n, i), size = (ptrdiff_t)node_size(n->in[1]);
	real *sum = j->part + i * size;

	(void)room;
	k_zero((size_t)size, sum);
	for (int h = 0; h < n->heads && l->of[i]; h++)
		k_labels_back((size_t)cells, l->of[i], l->n, n->grad + n->block[i] + h * cells,
			      sum + h * head_step(n));
}

static void
labels_collect(struct node *n, struct pass *p)
{
	const size_t size = node_size(n->in[1]);
	struct labels_job j = { n, ARENA_ARRAY(p->scratch, real, (size_t)n->queries->n * size) };
	real beta, *to = grad_of(p, n->in[1], &beta);

	if (!to)
		return;
	heads_run(p, n->queries->n, 1, collect_one, &j);
	if (beta == 0)
		k_zero(size, to);
	for (int i = 0; i < n->queries->n; i++)
		k_add(size, to, j.part + (size_t)i * size, to);
}

static void
labels_gradient(struct node *n, struct pass *p)
{
	if (n->in[1])
		labels_collect(n, p);
	elementwise_pass(n, p, n->in[0]);
}

static struct node *
case_scores(struct case_bench *b, const struct layout *l)
{
	return op_scores(case_tape(b), case_rows(b, l, 6), case_rows(b, l, 6), l, l, 2, 1, false);
}

static struct node *
case_labels_shared(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *s = case_scores(b, l);

	return op_softmax(case_tape(b),
			  op_labels(case_tape(b), s, case_param(b, 2, 5, 1),
				    case_pairs(b, l, 5, true)));
}

static struct node *
case_by_head(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_TARGET);
	struct node *s = case_scores(b, l);

	return op_softmax(case_tape(b),
			  op_labels(case_tape(b), s, case_param(b, 2, 2, 9),
				    case_pairs(b, l, 9, true)));
}

static struct node *
case_mask(struct case_bench *b)
{
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *s = case_scores(b, l);

	return op_softmax(case_tape(b),
			  op_labels(case_tape(b), s, NULL, case_pairs(b, l, 1, true)));
}

static const struct op_case cases[] = {
	{ "a shared table", case_labels_shared, 0 },
	{ "a table for each head", case_by_head, 0 },
	{ "a mask", case_mask, 0 },
	{ 0 }
};

const struct op ops_labels = {
	.name = "labels",
	.formula = "y_ij = s_ij + table[label of (i, j)], -inf without a label",
	.flags = OP_SHIFTS,
	.infer = labels_infer,
	.forward = labels_forward,
	.gradient = labels_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/*
 * scores + table[label], and -inf for masked pairs.  Sentences without labels are unchanged.  The
 * table is [n], shared by the heads, or [H, n]; NULL: zeros.  Queries must be the keys.
 */
struct node *
op_labels(struct tape *t, struct node *scores, struct node *table, const struct labels *l)
{
	return tape_apply(t, &ops_labels, 2, (struct node *[]){ scores, table }, l, sizeof(*l));
}
