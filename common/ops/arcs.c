/*
 * arcs: the loss of selecting a head for each word.
 *
 * Row i of a block has the scores of the possible heads of word i.  Row 0 is the root, which has no
 * head.  A word is never its own head.  Each row is a softmax over the other words (Zhang, Cheng
 * and Lapata 2017, Dependency parsing as head selection; Dozat and Manning 2017, section 2.2).
 */
#include <math.h>

#include "base/err.h"
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
struct arcs { const int *head; };
#endif

static real
arcs_row_loss(int len, int self, int head, const real *scores, real *prob)
{
	int best = head;

	k_copy((size_t)len, scores, prob);
	prob[self] = -INFINITY;
	k_softmax(len, prob, prob);
	/* If the probability of the head underflows, that of the best word does not. */
	if (prob[head] <= 0)
		for (int j = 0; j < len; j++)
			best = prob[j] > prob[best] ? j : best;
	return scores[best] - scores[head] - (real)log((double)prob[best]);
}

static void
arcs_forward_one(void *arg, int i, real *room)
{
	const struct node *n = arg, *s = n->in[0];
	const struct arcs *a = n->arg;
	int len = s->queries->len[i];
	const int *head = a->head + s->queries->start[i];
	real loss = 0;

	(void)room;
	for (int r = 1; r < len; r++) {
		ptrdiff_t at = s->block[i] + (ptrdiff_t)r * len;

		if (head[r] >= len || head[r] == r)
			bug("arcs: head %d of word %d, expected 0 to %d", head[r], r, len - 1);
		if (head[r] >= 0)
			loss += arcs_row_loss(len, r, head[r], s->x + at, (real *)n->saved + at);
	}
	heads_losses(n)[i] = loss;
}

static void
arcs_forward(struct node *n, struct pass *p)
{
	heads_loss_forward(n, p, 1, arcs_forward_one);
}

struct arcs_job { const struct node *n; real *to, beta; };

static void
arcs_gradient_one(void *arg, int i, real *room)
{
	const struct arcs_job *j = arg;
	const struct node *n = j->n, *s = n->in[0];
	const struct arcs *a = n->arg;
	int len = s->queries->len[i];
	const int *head = a->head + s->queries->start[i];

	(void)room;
	for (int r = 0; r < len; r++) {
		ptrdiff_t at = s->block[i] + (ptrdiff_t)r * len;

		if (r && head[r] >= 0) {
			k_axpby((size_t)len, *n->grad, (const real *)n->saved + at, j->beta,
				j->to + at);
			j->to[at + head[r]] -= *n->grad;
		} else if (j->beta == 0)
			k_zero((size_t)len, j->to + at);
	}
}

static void
arcs_gradient(struct node *n, struct pass *p)
{
	struct arcs_job j = { .n = n };

	j.to = grad_of(p, n->in[0], &j.beta);
	if (j.to)
		heads_run(p, n->in[0]->queries->n, 1, arcs_gradient_one, &j);
}

/* Heads are random, but never the word itself, and unknown for every fourth word. */
static struct node *
case_arcs_heads(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	const int *random = case_ints(b, l, 60);
	int *head = ARENA_ARRAY(tape_arena(t), int, l->rows);

	for (int i = 0; i < l->n; i++)
		for (int r = 0; r < l->len[i]; r++) {
			int *h = &head[l->start[i] + r];

			*h = random[l->start[i] + r] % l->len[i];
			if (*h == r || random[l->start[i] + r] % 4 == 3)
				*h = random[l->start[i] + r] % 2 && r ? 0 : -1;
		}
	return op_arcs(t, op_scores(t, case_rows(b, l, 3), case_rows(b, l, 3), l, l, 1, 1, false),
		       &(struct arcs){ head });
}

static const struct op_case cases[] = {
	{ "some heads unknown", case_arcs_heads, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ 0 }
};

const struct op ops_arcs = {
	.name = "arcs",
	.formula = "sum over words i of -log softmax(s_i without s_ii)[head of i]",
	.flags = OP_LOSS,
	.infer = heads_loss_infer,
	.saved = heads_loss_saved,
	.forward = arcs_forward,
	.gradient = arcs_gradient,
	.relevance = relevance_none,
	.cases = cases,
};

/*
 * The loss of dependency trees over blocks [1,n+1,n+1] of op_scores() with the same layout on both
 * sides, summed.  Row i > 0 of a sentence is word i, whose head is head[start + i] in 0 ... n, or
 * -1 if unknown.  The array must outlive the tape.
 */
struct node *
op_arcs(struct tape *t, struct node *scores, const struct arcs *a)
{
	return tape_apply(t, &ops_arcs, 1, &scores, a, sizeof(*a));
}
