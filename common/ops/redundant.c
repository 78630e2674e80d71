/*
 * redundant: the plain scores of important heads, and biased scores of redundant heads.
 *
 * Zhang, Huang, Feng and Cao 2021, Enlivening redundant heads in multi-head self-attention for
 * machine translation.  The plain weights A of each sentence and head decide: h_conf is the mean
 * over rows of max_j A_ij (equation 3), Syn_attn the mean over rows of the sum of weights of pairs
 * with a label (equation 9).  The head is important if Syn_attn > gate, the sigmoid of h_conf
 * (equation 10). An end-of-sentence token is not in the tree and counts neither as a row nor as a
 * column.  The decision is a step function without a gradient (our choice).
 */
#include <math.h>

#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
struct redundancy {
	const struct labels *labels;	/* pairs with a label are syntactic */
	enum gate { GATE_SIGMOID, GATE_CONFIDENCE, GATE_FIXED } gate;
	real fixed;			/* for GATE_FIXED */
	bool diagonal;			/* the weight of a row on itself counts as syntactic */
	int ends;			/* end-of-sentence rows: 0 or 1 */
};
struct head_test { real confidence, syntax; bool important; };
#endif

static void
redundant_infer(struct node *n, struct arena *mem)
{
	const struct node *s = n->in[0], *b = n->in[1];

	(void)mem;
	if (!s->block || s->queries != s->keys)
		bug_shapes(n);
	if (b && (!b->block || b->queries != s->queries || b->keys != s->keys ||
		  b->heads != s->heads))
		bug_shapes(n);
	infer_like(n, s);
}

static size_t
redundant_saved(const struct node *n)
{
	return (size_t)n->in[0]->queries->n * (size_t)n->in[0]->heads * sizeof(struct head_test);
}

/* The tests [sentences, heads] of an op_redundant() node; they live as long as the node. */
const struct head_test *
op_redundant_tests(const struct node *n)
{
	return n->saved;
}

static struct head_test *
test_of(const struct node *n, int sentence, int head)
{
	return (struct head_test *)n->saved + (ptrdiff_t)sentence * n->heads + head;
}

static real
gate(const struct redundancy *r, real confidence)
{
	switch (r->gate) {
	case GATE_CONFIDENCE:
		return confidence;
	case GATE_FIXED:
		return r->fixed;
	default:
		return 1 / (1 + (real)exp(-(double)confidence));
	}
}

/* Tests the first `words` rows and columns of weights [len, len]. */
static struct head_test
test_head(const struct redundancy *r, const unsigned char *label, int words, int len,
	  const real *weights)
{
	real confidence = 0, syntax = 0;

	for (int i = 0; i < words; i++) {
		const real *a = weights + (ptrdiff_t)i * len;
		real max = 0;

		for (int j = 0; j < words; j++) {
			max = a[j] > max ? a[j] : max;
			if (label[(ptrdiff_t)i * len + j] != LABEL_NEVER && (i != j || r->diagonal))
				syntax += a[j];
		}
		confidence += max;
	}
	if (words) {
		confidence /= (real)words;
		syntax /= (real)words;
	}
	return (struct head_test){ .confidence = confidence, .syntax = syntax,
				   .important = syntax > gate(r, confidence) };
}

static void
redundant_forward_one(void *arg, int i, real *room)
{
	struct node *n = arg;
	const struct redundancy *r = n->arg;
	const int len = n->queries->len[i], words = len - r->ends;
	const ptrdiff_t cells = heads_cells(n, i);

	for (int h = 0; h < n->heads; h++) {
		const ptrdiff_t at = n->block[i] + h * cells;
		const real *plain = n->in[0]->x + at;
		struct head_test *test = test_of(n, i, h);

		*test = (struct head_test){ .important = true };
		if (r->labels->of[i] && words > 0) {
			for (int row = 0; row < words; row++)
				k_softmax(len, plain + (ptrdiff_t)row * len,
					  room + (ptrdiff_t)row * len);
			*test = test_head(r, r->labels->of[i], words, len, room);
		}
		k_copy((size_t)cells, test->important || !n->in[1] ? plain : n->in[1]->x + at,
		       n->x + at);
	}
}

static void
redundant_forward(struct node *n, struct pass *p)
{
	const size_t most = (size_t)heads_longest(n->queries);

	heads_run(p, n->queries->n, most * most, redundant_forward_one, n);
}

struct redundant_job { struct node *n; real *to, beta; const real *from; bool important; };

static void
send_one(void *arg, int i, real *room)
{
	const struct redundant_job *j = arg;
	const struct node *n = j->n;
	const ptrdiff_t cells = heads_cells(n, i);

	(void)room;
	for (int h = 0; h < n->heads; h++) {
		const ptrdiff_t at = n->block[i] + h * cells;

		if (!n->in[1] || test_of(n, i, h)->important == j->important)
			k_axpby((size_t)cells, 1, j->from + at, j->beta, j->to + at);
		else if (j->beta == 0)
			k_zero((size_t)cells, j->to + at);
	}
}

/* Passes the gradient or, with `relevance`, the relevance of n to the input that was selected. */
static void
redundant_send(struct node *n, struct pass *p, bool relevance)
{
	for (int k = 0; k < 2 && n->in[k]; k++) {
		struct redundant_job j = { .n = n, .from = relevance ? n->rel : n->grad,
					   .important = k == 0, .beta = 1 };

		j.to = relevance ? rel_of(p, n->in[k]) : grad_of(p, n->in[k], &j.beta);
		if (j.to)
			heads_run(p, n->queries->n, 1, send_one, &j);
	}
}

static void
redundant_gradient(struct node *n, struct pass *p)
{
	redundant_send(n, p, false);
}

static void
redundant_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	(void)lrp;
	redundant_send(n, p, true);
}

/* Labels along arcs to the left and to the right, and one sentence without labels. */
static const struct labels *
case_redundant_labels(struct case_bench *b, const struct layout *l)
{
	struct arena *mem = tape_arena(case_tape(b));
	const int *random = case_ints(b, l, 3);
	struct labels *labels = ARENA_ARRAY(mem, struct labels, 1);
	const unsigned char **of = ARENA_ARRAY(mem, const unsigned char *, l->n);

	for (int i = 0; i < l->n; i++) {
		const int len = l->len[i];
		unsigned char *label = ARENA_ARRAY(mem, unsigned char, len * len);

		for (int r = 0; r < len; r++)
			for (int c = 0; c < len; c++)
				label[r * len + c] = r == c || random[l->start[i] + r] == 0
						     ? 0 : LABEL_NEVER;
		of[i] = len == 1 ? NULL : label;
	}
	*labels = (struct labels){ of, 1 };
	return labels;
}

static struct node *
choice(struct case_bench *b, struct redundancy redundancy, bool biased)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *s = op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 3, 1, false);
	struct node *c;

	redundancy.labels = case_redundant_labels(b, l);
	c = op_redundant(t, s, biased ? op_labels(t, s, NULL, redundancy.labels) : NULL,
			 &redundancy);
	return biased ? op_softmax(t, c)
		      : op_choose(t, op_context(t, op_softmax(t, c), case_rows(b, l, 12)), NULL, c);
}

static struct node *
case_enliven(struct case_bench *b)
{
	return choice(b, (struct redundancy){ .gate = GATE_SIGMOID, .diagonal = true, .ends = 1 },
		      true);
}

static struct node *
case_fixed(struct case_bench *b)
{
	return choice(b, (struct redundancy){ .gate = GATE_FIXED, .fixed = (real)0.3,
					      .diagonal = true }, true);
}

/* The biased scores are those of other queries and keys. */
static struct node *
case_other_scores(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	const struct redundancy how = { .labels = case_redundant_labels(b, l), .gate = GATE_FIXED,
					.fixed = (real)0.3, .diagonal = true };
	struct node *s = op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 3, 1, false);
	struct node *o = op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 3, 1, false);

	return op_softmax(t, op_redundant(t, s, o, &how));
}

static struct node *
case_prune(struct case_bench *b)
{
	return choice(b, (struct redundancy){ .gate = GATE_CONFIDENCE }, false);
}

static const struct op_case cases[] = {
	{ "redundant heads with a bias", case_enliven, 0 },
	{ "a fixed gate", case_fixed, 0 },
	{ "other scores as biased scores", case_other_scores, 0 },
	{ "redundant heads dropped", case_prune, 0 },
	{ 0 }
};

const struct op ops_redundant = {
	.name = "redundant",
	.formula = "y = s of important heads, biased s of redundant ones",
	.flags = OP_SHIFTS,
	.infer = redundant_infer,
	.saved = redundant_saved,
	.forward = redundant_forward,
	.gradient = redundant_gradient,
	.relevance = redundant_relevance,
	.cases = cases,
};

/*
 * Tests which heads are redundant in a sentence, by their plain weights (redundant.c).  The result
 * is the plain scores of important heads and the biased scores of redundant heads.  If biased is
 * NULL, all scores are plain, and only the tests are of interest.  Sentences without labels have
 * important heads only.
 */
struct node *
op_redundant(struct tape *t, struct node *plain, struct node *biased, const struct redundancy *r)
{
	return tape_apply(t, &ops_redundant, 2, (struct node *[]){ plain, biased }, r, sizeof(*r));
}
