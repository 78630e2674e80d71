/* choose: important heads from one context, redundant heads from another, or zeros. */
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

/* in[0] and in[1] are contexts, in[2] is a node of op_redundant(), which receives no gradient. */
static void
choose_infer(struct node *n, struct arena *mem)
{
	const struct node *a = n->in[0], *b = n->in[1], *tests = n->in[2];

	(void)mem;
	if (a->n_dim != 2 || a->rows != tests->queries || a->d[1] % tests->heads ||
	    (b && (b->rows != a->rows || b->d[1] != a->d[1])))
		bug_shapes(n);
	infer_like(n, a);
}

/* Copies head h of sentence i; zeros if values is NULL. */
static void
choose_move(const struct node *n, int i, int h, const real *values, ptrdiff_t ld_from, real beta,
	    real *out, ptrdiff_t ld_to)
{
	const struct layout *l = n->rows;
	const int d = n->d[1] / n->in[2]->heads;

	for (int r = l->start[i]; r < l->start[i] + l->len[i]; r++) {
		real *y = out + r * ld_to + (ptrdiff_t)h * d;

		if (values)
			k_axpby((size_t)d, 1, values + r * ld_from + (ptrdiff_t)h * d, beta, y);
		else if (beta == 0)
			k_zero((size_t)d, y);
	}
}

static bool
important(const struct node *n, int i, int h)
{
	return op_redundant_tests(n->in[2])[(ptrdiff_t)i * n->in[2]->heads + h].important;
}

static void
choose_forward_one(void *arg, int i, real *room)
{
	struct node *n = arg;

	(void)room;
	for (int h = 0; h < n->in[2]->heads; h++) {
		const struct node *from = n->in[important(n, i, h) ? 0 : 1];

		choose_move(n, i, h, from ? from->x : NULL, from ? from->ld : 0, 0, n->x, n->ld);
	}
}

static void
choose_forward(struct node *n, struct pass *p)
{
	heads_run(p, n->rows->n, 1, choose_forward_one, n);
}

struct choose_job { struct node *n; const real *from; real *to, beta; int ld; bool important; };

static void
choose_send_one(void *arg, int i, real *room)
{
	const struct choose_job *j = arg;
	const struct node *n = j->n;

	(void)room;
	for (int h = 0; h < n->in[2]->heads; h++)
		choose_move(n, i, h, important(n, i, h) == j->important ? j->from : NULL, n->ld,
			    j->beta, j->to, j->ld);
}

/* Passes the gradient or, with `relevance`, the relevance of n to the contexts. */
static void
choose_send(struct node *n, struct pass *p, bool relevance)
{
	for (int k = 0; k < 2 && n->in[k]; k++) {
		struct choose_job j = { .n = n, .from = relevance ? n->rel : n->grad,
					.ld = n->in[k]->ld, .important = k == 0, .beta = 1 };

		j.to = relevance ? rel_of(p, n->in[k]) : grad_of(p, n->in[k], &j.beta);
		if (j.to)
			heads_run(p, n->rows->n, 1, choose_send_one, &j);
	}
}

static void
choose_gradient(struct node *n, struct pass *p)
{
	choose_send(n, p, false);
}

/*
 * The relevance of a dropped head passes through unchanged, as with dropout, so that it is
 * conserved.
 */
static void
choose_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	if (n->in[1])
		choose_send(n, p, true);
	else
		relevance_identity(n, p, lrp);
}

/* Two contexts, one of them a view; a fixed gate in the middle of the range. */
static struct node *
case_two(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *s = op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 3, 1, false);
	struct node *c;
	const unsigned char **of = ARENA_ARRAY(tape_arena(t), const unsigned char *, l->n);
	struct labels *labels = ARENA_ARRAY(tape_arena(t), struct labels, 1);
	struct redundancy how = { .gate = GATE_FIXED, .fixed = (real)0.4, .diagonal = true };

	for (int i = 0; i < l->n; i++) {
		unsigned char *label = ARENA_ARRAY(tape_arena(t), unsigned char,
						   l->len[i] * l->len[i]);

		for (int k = 0; k < l->len[i] * l->len[i]; k++)
			label[k] = k % (l->len[i] + 1) ? LABEL_NEVER : 0;
		of[i] = label;
	}
	*labels = (struct labels){ of, 1 };
	how.labels = labels;
	c = op_redundant(t, s, NULL, &how);
	return op_choose(t, op_context(t, op_softmax(t, s), case_rows(b, l, 6)),
			 op_columns(t, case_rows(b, l, 8), 1, 6), c);
}

static const struct op_case cases[] = {
	{ "two contexts", case_two, 0 },
	{ 0 }
};

const struct op ops_choose = {
	.name = "choose",
	.formula = "y = a of important heads, b of redundant ones",
	.infer = choose_infer,
	.forward = choose_forward,
	.gradient = choose_gradient,
	.relevance = choose_relevance,
	.cases = cases,
};

/*
 * The columns of important heads from one context [R,H*d], those of redundant heads from another
 * (NULL: zeros).  tests is a node of op_redundant().
 */
struct node *
op_choose(struct tape *t, struct node *important, struct node *redundant, struct node *tests)
{
	return tape_apply(t, &ops_choose, 3, (struct node *[]){ important, redundant, tests }, NULL,
			  0);
}
