/*
 * fixed-weights: replaces the weights of some heads by fixed patterns of position.
 *
 * Raganato, Scherrer and Tiedemann 2020, Fixed encoder self-attention patterns in Transformer-based
 * machine translation, section 3.  The weights of query i over keys j of n, from 0:
 *
 *	current		1 at j = i
 *	previous	1 at j = i - 1
 *	next		1 at j = i + 1
 *	left		(j + 1)^3 for j <= i - 2, divided by their sum
 *	right		(n - j)^3 for j >= i + 2, divided by their sum
 *	start		(n - j)^3, divided by their sum
 *	end		(j + 1)^3, divided by their sum
 *
 * A query without such a key attends to itself.  The weights of other heads are unchanged.  Fixed
 * weights are constants, so op_context() gives the relevance of their heads to the values.
 */
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
enum pattern {
	PATTERN_NONE, PATTERN_CURRENT, PATTERN_PREVIOUS, PATTERN_NEXT, PATTERN_LEFT, PATTERN_RIGHT,
	PATTERN_START, PATTERN_END
};
struct patterns { const unsigned char *of; };	/* [H] enum pattern; must outlive the tape */
#endif

static enum pattern
pattern_of(const struct node *n, int head)
{
	return ((const struct patterns *)n->arg)->of[head];
}

static void
fixed_weights_infer(struct node *n, struct arena *mem)
{
	const struct node *w = n->in[0];

	(void)mem;
	if (!w->block || w->queries != w->keys)
		bug_shapes(n);
	infer_like(n, w);
}

/* The keys [from, to) with weights, which rise or fall from left to right. */
struct span_of_keys { int from, to; bool rising; };

static struct span_of_keys
fixed_weights_span_of(enum pattern pattern, int i, int n)
{
	struct span_of_keys s = { i, i + 1, true };

	switch (pattern) {
	case PATTERN_PREVIOUS: s = (struct span_of_keys){ i - 1, i, true }; break;
	case PATTERN_NEXT: s = (struct span_of_keys){ i + 1, i + 2, true }; break;
	case PATTERN_LEFT: s = (struct span_of_keys){ 0, i - 1, true }; break;
	case PATTERN_RIGHT: s = (struct span_of_keys){ i + 2, n, false }; break;
	case PATTERN_START: s = (struct span_of_keys){ 0, n, false }; break;
	case PATTERN_END: s = (struct span_of_keys){ 0, n, true }; break;
	default: break;
	}
	if (s.from < 0 || s.to > n || s.from >= s.to)
		return (struct span_of_keys){ i, i + 1, true };
	return s;
}

static double
cube(const struct span_of_keys *s, int j, int n)
{
	const double x = s->rising ? j + 1 : n - j;

	return x * x * x;
}

static void
fixed_weights_fill_row(enum pattern pattern, int i, int n, real *row)
{
	const struct span_of_keys s = fixed_weights_span_of(pattern, i, n);
	double sum = 0;

	k_zero((size_t)n, row);
	for (int j = s.from; j < s.to; j++)
		sum += cube(&s, j, n);
	for (int j = s.from; j < s.to; j++)
		row[j] = (real)(cube(&s, j, n) / sum);
}

static void
fixed_weights_forward_one(void *arg, int i, real *room)
{
	const struct node *n = arg;
	const int len = n->queries->len[i];
	const ptrdiff_t cells = (ptrdiff_t)len * len;

	(void)room;
	for (int h = 0; h < n->heads; h++) {
		const ptrdiff_t at = n->block[i] + h * cells;

		if (pattern_of(n, h) == PATTERN_NONE)
			k_copy((size_t)cells, n->in[0]->x + at, n->x + at);
		for (int q = 0; q < len && pattern_of(n, h) != PATTERN_NONE; q++)
			fixed_weights_fill_row(pattern_of(n, h), q, len, n->x + at +
					       (ptrdiff_t)q * len);
	}
}

static void
fixed_weights_forward(struct node *n, struct pass *p)
{
	heads_run(p, n->queries->n, 1, fixed_weights_forward_one, n);
}

struct fixed_job { const struct node *n; real *to, beta; };

/* Fixed weights do not depend on those that they replace. */
static void
fixed_weights_gradient_one(void *arg, int i, real *room)
{
	const struct fixed_job *j = arg;
	const struct node *n = j->n;
	const size_t cells = (size_t)n->queries->len[i] * (size_t)n->keys->len[i];

	(void)room;
	for (int h = 0; h < n->heads; h++) {
		const size_t at = (size_t)n->block[i] + (size_t)h * cells;

		if (pattern_of(n, h) == PATTERN_NONE)
			k_axpby(cells, 1, n->grad + at, j->beta, j->to + at);
		else if (j->beta == 0)
			k_zero(cells, j->to + at);
	}
}

static void
fixed_weights_gradient(struct node *n, struct pass *p)
{
	struct fixed_job j = { .n = n };

	j.to = grad_of(p, n->in[0], &j.beta);
	if (j.to)
		heads_run(p, n->queries->n, 1, fixed_weights_gradient_one, &j);
}

static struct node *
fixed(struct case_bench *b, int heads, const unsigned char *pattern_of)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	const int width = 3 * heads;
	struct node *s = op_scores(t, case_rows(b, l, width), case_rows(b, l, width), l, l, heads,
				   1, false);
	struct node *w = op_fixed_weights(t, op_softmax(t, s), &(struct patterns){ pattern_of });

	return op_context(t, w, case_rows(b, l, width));
}

static struct node *
case_one_learned(struct case_bench *b)
{
	static const unsigned char of[] = { PATTERN_PREVIOUS, PATTERN_NONE, PATTERN_NEXT };

	return fixed(b, 3, of);
}

static struct node *
case_contexts(struct case_bench *b)
{
	static const unsigned char of[] = { PATTERN_LEFT, PATTERN_RIGHT, PATTERN_START,
					    PATTERN_END, PATTERN_CURRENT, PATTERN_NONE };

	return fixed(b, 6, of);
}

static const struct op_case cases[] = {
	{ "a learned head between fixed ones", case_one_learned, 0 },
	{ "contexts, and a learned head", case_contexts, 0 },
	{ 0 }
};

const struct op ops_fixed_weights = {
	.name = "fixed-weights",
	.formula = "y = x, but the weights of some heads are patterns of position",
	.flags = OP_SHIFTS,
	.infer = fixed_weights_infer,
	.forward = fixed_weights_forward,
	.gradient = fixed_weights_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* weights, with those of each head that has a pattern replaced by it.  Queries must be the keys. */
struct node *
op_fixed_weights(struct tape *t, struct node *weights, const struct patterns *p)
{
	return tape_apply(t, &ops_fixed_weights, 1, &weights, p, sizeof(*p));
}
