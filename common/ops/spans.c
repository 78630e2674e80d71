/* spans: the loss of a binary tree, -log of its probability among all trees. */
#include "base/err.h"
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
struct spans { const int *first, *from, *to; };
#endif

/* The number of words of sentence i, or 0 if it has no tree or a single word. */
static int
words(const struct node *n, int i)
{
	const struct spans *s = n->arg;

	if (s->first[i] == s->first[i + 1])
		return 0;
	if (s->first[i + 1] - s->first[i] != n->in[0]->queries->len[i] - 2)
		bug("spans: %d gold spans of %d words", s->first[i + 1] - s->first[i],
		    n->in[0]->queries->len[i] - 1);
	return n->in[0]->queries->len[i] - 1;
}

static void
spans_forward_one(void *arg, int i, real *room)
{
	const struct node *n = arg;
	const struct spans *s = n->arg;
	const real *score = n->in[0]->x + n->in[0]->block[i];
	int N = words(n, i);
	real loss = 0;

	if (N) {
		loss = k_inside(N, score, N + 1, (real *)n->saved + n->in[0]->block[i], room);
		for (int k = s->first[i]; k < s->first[i + 1]; k++)
			loss -= score[(ptrdiff_t)s->from[k] * (N + 1) + s->to[k]];
	}
	heads_losses(n)[i] = loss;
}

static void
spans_forward(struct node *n, struct pass *p)
{
	heads_loss_forward(n, p, (size_t)heads_longest(n->in[0]->queries), spans_forward_one);
}

struct spans_job { const struct node *n; real *to, beta; };

static void
spans_gradient_one(void *arg, int i, real *room)
{
	const struct spans_job *j = arg;
	const struct node *n = j->n;
	const struct spans *s = n->arg;
	ptrdiff_t block = n->in[0]->block[i];
	real *prob = room, *to = j->to + block;
	int N = words(n, i), W = n->in[0]->queries->len[i];

	if (j->beta == 0)
		k_zero((size_t)W * (size_t)W, to);
	if (!N)
		return;
	k_inside_back(N, (const real *)n->saved + block, prob, room + W * W);
	for (int from = 0; from < N - 1; from++) {
		ptrdiff_t at = (ptrdiff_t)from * W + from + 2;

		k_axpby((size_t)(N - from - 1), *n->grad, prob + at, 1, to + at);
	}
	for (int k = s->first[i]; k < s->first[i + 1]; k++)
		to[(ptrdiff_t)s->from[k] * W + s->to[k]] -= *n->grad;
}

static void
spans_gradient(struct node *n, struct pass *p)
{
	const struct layout *l = n->in[0]->queries;
	size_t longest = (size_t)heads_longest(l);
	struct spans_job j = { .n = n };

	j.to = grad_of(p, n->in[0], &j.beta);
	if (j.to)
		heads_run(p, l->n, longest * (longest + 1), spans_gradient_one, &j);
}

/* Trees that branch left in one sentence, right in the next; the last sentence has no tree. */
static struct node *
case_trees(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	int *first = ARENA_ARRAY(tape_arena(t), int, l->n + 1);
	int *from = ARENA_ARRAY(tape_arena(t), int, l->rows);
	int *to = ARENA_ARRAY(tape_arena(t), int, l->rows);

	first[0] = 0;
	for (int i = 0; i < l->n; i++) {
		int N = l->len[i] - 1;

		first[i + 1] = first[i];
		for (int w = 2; w <= N && l->len[i] != 3; w++) {
			from[first[i + 1]] = l->len[i] % 2 ? N - w : 0;
			to[first[i + 1]++] = l->len[i] % 2 ? N : w;
		}
	}
	return op_spans(t, op_scores(t, case_rows(b, l, 3), case_rows(b, l, 3), l, l, 1, 1, false),
			&(struct spans){ first, from, to });
}

static const struct op_case cases[] = {
	{ "with and without trees", case_trees, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ 0 }
};

const struct op ops_spans = {
	.name = "spans",
	.formula = "sum over sentences of log sum_trees exp(score) - score of the gold tree",
	.flags = OP_LOSS,
	.infer = heads_loss_infer,
	.saved = heads_loss_saved,
	.forward = spans_forward,
	.gradient = spans_gradient,
	.relevance = relevance_none,
	.cases = cases,
};

/*
 * The loss of constituency trees over blocks [1,n+1,n+1] of op_scores() with the same layout on
 * both sides, summed.  (i,j) is words i+1 ... j.  A conditional random field over binary trees
 * (Stern, Andreas and Klein 2017; Zhang, Zhou and Li 2020, Fast and accurate neural CRF
 * constituency parsing, equation 3): the log of the sum over all trees minus the score of the gold
 * spans.  The gold spans of sentence i are from[k], to[k] for k in first[i] ... first[i+1] - 1: all
 * spans of a binary tree except single words, or none if the sentence has no tree; its loss is then
 * 0.  All arrays must outlive the tape.
 */
struct node *
op_spans(struct tape *t, struct node *scores, const struct spans *s)
{
	return tape_apply(t, &ops_spans, 1, &scores, s, sizeof(*s));
}
