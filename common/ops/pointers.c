/*
 * pointers: the loss of an attention head that is supervised to attend to given keys.
 *
 * Deguchi, Tamura and Ninomiya 2019, Dependency-based self-attention for Transformer NMT, section
 * 3.3: the sum of -log softmax(s_t)[target of t] over the rows with a target that is not masked.  A
 * masked target has probability 0 and is left out.
 */
#include <math.h>

#include "base/err.h"
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
struct pointers { int head; const int *target; };
#endif

static void
pointers_infer(struct node *n, struct arena *mem)
{
	const struct node *s = n->in[0];
	const struct pointers *a = n->arg;

	(void)mem;
	if (!s->block || a->head < 0 || a->head >= s->heads)
		bug_shapes(n);
	n->n_dim = 0;
}

/* The loss of each sentence; the backward pass computes the rest again. */
static size_t
pointers_saved(const struct node *n)
{
	return (size_t)n->in[0]->queries->n * sizeof(real);
}

/* The offset of the scores of a row. */
static ptrdiff_t
row_at(const struct node *n, int i, int row)
{
	const struct node *s = n->in[0];
	const struct pointers *a = n->arg;

	return s->block[i] + ((ptrdiff_t)a->head * s->queries->len[i] + row) * s->keys->len[i];
}

static bool
has_loss(const real *scores, int target)
{
	return target >= 0 && scores[target] != -(real)INFINITY;
}

static real
row_loss(int len, const real *scores, int target)
{
	double sum = 0, most = -INFINITY;

	for (int j = 0; j < len; j++)
		most = (double)scores[j] > most ? (double)scores[j] : most;
	for (int j = 0; j < len; j++)
		sum += exp((double)scores[j] - most);
	return (real)(log(sum) + most - (double)scores[target]);
}

static void
forward_one(void *arg, int i, real *room)
{
	const struct node *n = arg, *s = n->in[0];
	const int len = s->keys->len[i];
	const int *target = ((const struct pointers *)n->arg)->target + s->queries->start[i];
	real loss = 0;

	(void)room;
	for (int r = 0; r < s->queries->len[i]; r++) {
		const real *scores = s->x + row_at(n, i, r);

		if (target[r] >= len)
			bug("pointers: row %d with %d keys has target %d", r, len, target[r]);
		if (has_loss(scores, target[r]))
			loss += row_loss(len, scores, target[r]);
	}
	((real *)n->saved)[i] = loss;
}

static void
pointers_forward(struct node *n, struct pass *p)
{
	const int sentences = n->in[0]->queries->n;

	heads_run(p, sentences, 1, forward_one, n);
	*n->x = (real)k_sum((size_t)sentences, n->saved);
}

struct pointers_job { const struct node *n; real *to, beta; };

static void
gradient_one(void *arg, int i, real *room)
{
	const struct pointers_job *j = arg;
	const struct node *n = j->n, *s = n->in[0];
	const int len = s->keys->len[i];
	const int *target = ((const struct pointers *)n->arg)->target + s->queries->start[i];

	if (j->beta == 0)
		k_zero((size_t)(s->block[i + 1] - s->block[i]), j->to + s->block[i]);
	for (int r = 0; r < s->queries->len[i]; r++) {
		const ptrdiff_t at = row_at(n, i, r);

		if (!has_loss(s->x + at, target[r]))
			continue;
		k_softmax(len, s->x + at, room);
		k_axpby((size_t)len, *n->grad, room, 1, j->to + at);
		j->to[at + target[r]] -= *n->grad;
	}
}

static void
pointers_gradient(struct node *n, struct pass *p)
{
	struct pointers_job j = { .n = n };

	j.to = grad_of(p, n->in[0], &j.beta);
	if (j.to)
		heads_run(p, n->in[0]->queries->n, (size_t)heads_longest(n->in[0]->keys),
			  gradient_one, &j);
}

/*
 * Random targets, some after the row, which a causal row cannot attend to; none for every fourth
 * row.
 */
static struct node *
case_of(struct case_bench *b, bool causal)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	const int *random = case_ints(b, l, 60);
	int *target = ARENA_ARRAY(tape_arena(t), int, l->rows);

	for (int i = 0; i < l->n; i++)
		for (int r = 0; r < l->len[i]; r++) {
			const int at = l->start[i] + r;

			target[at] = random[at] % 4 == 3 ? -1 : random[at] % l->len[i];
		}
	return op_pointers(t, op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 3, 1,
					causal),
			   &(struct pointers){ 1, target });
}

static struct node *
case_all(struct case_bench *b)
{
	return case_of(b, false);
}

static struct node *
case_causal(struct case_bench *b)
{
	return case_of(b, true);
}

static const struct op_case cases[] = {
	{ "the second of three heads", case_all, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ "masked targets", case_causal, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ 0 }
};

const struct op ops_pointers = {
	.name = "pointers",
	.formula = "sum over rows t of -log softmax(s_t)[target of t]",
	.flags = OP_LOSS,
	.infer = pointers_infer,
	.saved = pointers_saved,
	.forward = pointers_forward,
	.gradient = pointers_gradient,
	.relevance = relevance_none,
	.cases = cases,
};

/*
 * A loss that supervises attention, summed over the batch: row start + t of head `head` should
 * attend to key target[start + t] of its sentence; -1 leaves it free.  target must outlive the
 * tape.
 */
struct node *
op_pointers(struct tape *t, struct node *scores, const struct pointers *a)
{
	return tape_apply(t, &ops_pointers, 1, &scores, a, sizeof(*a));
}
