/*
 * pointers: the loss of an attention head that is supervised to attend to given keys.
 *
 * Deguchi, Tamura and Ninomiya 2019, Dependency-based self-attention for Transformer NMT, section
 * 3.3: the sum of -log softmax(s_t)[target of t] over the rows with a target that is not masked.  A
 * masked target has probability 0 and is left out.  For a row with several targets, the loss is
 * their mean: the cross-entropy with a uniform distribution over the targets, as in Garg et al.
 * 2019, Jointly learning to align and translate with Transformer models.
 */
#include <math.h>

#include "base/err.h"
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
/*
 * The keys of each row: target[row], or none if it is -1; with first, target[first[row]] ...
 * target[first[row + 1] - 1], each with the same share of the loss.
 */
struct pointers { int head; const int *target, *first; };
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

/* The n targets of a row of the batch. */
struct targets { const int *of; int n; };

static struct targets
targets_of(const struct node *n, int row)
{
	const struct pointers *a = n->arg;

	if (a->first)
		return (struct targets){ a->target + a->first[row],
					 a->first[row + 1] - a->first[row] };
	return (struct targets){ a->target + row, a->target[row] >= 0 };
}

/* The number of targets that are not masked. */
static int
n_open(const struct targets *t, const real *scores)
{
	int n = 0;

	for (int k = 0; k < t->n; k++)
		n += scores[t->of[k]] != -(real)INFINITY;
	return n;
}

/* The mean of the losses of the n targets that are not masked. */
static real
row_loss(int len, const real *scores, const struct targets *t, int n)
{
	double sum = 0, most = -INFINITY, loss = 0;

	for (int j = 0; j < len; j++)
		most = (double)scores[j] > most ? (double)scores[j] : most;
	for (int j = 0; j < len; j++)
		sum += exp((double)scores[j] - most);
	for (int k = 0; k < t->n; k++)
		if (scores[t->of[k]] != -(real)INFINITY)
			loss += log(sum) + most - (double)scores[t->of[k]];
	return (real)(loss / n);
}

static void
pointers_forward_one(void *arg, int i, real *room)
{
	const struct node *n = arg, *s = n->in[0];
	const int len = s->keys->len[i];
	real loss = 0;

	(void)room;
	for (int r = 0; r < s->queries->len[i]; r++) {
		const real *scores = s->x + row_at(n, i, r);
		const struct targets t = targets_of(n, s->queries->start[i] + r);
		int open;

		for (int k = 0; k < t.n; k++)
			if (t.of[k] >= len)
				bug("pointers: row %d with %d keys has target %d", r, len,
				    t.of[k]);
		open = n_open(&t, scores);
		if (open)
			loss += row_loss(len, scores, &t, open);
	}
	((real *)n->saved)[i] = loss;
}

static void
pointers_forward(struct node *n, struct pass *p)
{
	const int sentences = n->in[0]->queries->n;

	heads_run(p, sentences, 1, pointers_forward_one, n);
	*n->x = (real)k_sum((size_t)sentences, n->saved);
}

struct pointers_job { const struct node *n; real *to, beta; };

static void
pointers_gradient_one(void *arg, int i, real *room)
{
	const struct pointers_job *j = arg;
	const struct node *n = j->n, *s = n->in[0];
	const int len = s->keys->len[i];

	if (j->beta == 0)
		k_zero((size_t)(s->block[i + 1] - s->block[i]), j->to + s->block[i]);
	for (int r = 0; r < s->queries->len[i]; r++) {
		const ptrdiff_t at = row_at(n, i, r);
		const struct targets t = targets_of(n, s->queries->start[i] + r);
		const int open = n_open(&t, s->x + at);

		if (!open)
			continue;
		k_softmax(len, s->x + at, room);
		k_axpby((size_t)len, *n->grad, room, 1, j->to + at);
		for (int k = 0; k < t.n; k++)
			if (s->x[at + t.of[k]] != -(real)INFINITY)
				j->to[at + t.of[k]] -= *n->grad / (real)open;
	}
}

static void
pointers_gradient(struct node *n, struct pass *p)
{
	struct pointers_job j = { .n = n };

	j.to = grad_of(p, n->in[0], &j.beta);
	if (j.to)
		heads_run(p, n->in[0]->queries->n, (size_t)heads_longest(n->in[0]->keys),
			  pointers_gradient_one, &j);
}

/*
 * Random targets, some after the row, which a causal row cannot attend to; none for every fourth
 * row.
 */
static struct node *
case_pointers_of(struct case_bench *b, bool causal)
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
			   &(struct pointers){ 1, target, NULL });
}

static struct node *
case_pointers_all(struct case_bench *b)
{
	return case_pointers_of(b, false);
}

static struct node *
case_pointers_causal(struct case_bench *b)
{
	return case_pointers_of(b, true);
}

/* No target, one, or several, some of them later than the row. */
static struct node *
case_several(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	const int *random = case_ints(b, l, 60);
	int *target = ARENA_ARRAY(tape_arena(t), int, 3 * l->rows), n = 0;
	int *first = ARENA_ARRAY(tape_arena(t), int, l->rows + 1);

	for (int i = 0; i < l->n; i++)
		for (int r = 0; r < l->len[i]; r++) {
			const int x = random[l->start[i] + r];

			first[l->start[i] + r] = n;
			for (int k = 0; k < x % 4 && k < l->len[i]; k++)
				target[n++] = (x + k) % l->len[i];
		}
	first[l->rows] = n;
	return op_pointers(t, op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 3, 1,
					true),
			   &(struct pointers){ 2, target, first });
}

static const struct op_case cases[] = {
	{ "the second of three heads", case_pointers_all, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ "masked targets", case_pointers_causal, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ "several targets", case_several, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ 0 }
};

const struct op ops_pointers = {
	.name = "pointers",
	.formula = "sum over rows t of the mean of -log softmax(s_t)[k], k the targets of t",
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
 * attend to the keys of its sentence that struct pointers has for it.  Rows without keys are free.
 * target and first must outlive the tape.
 */
struct node *
op_pointers(struct tape *t, struct node *scores, const struct pointers *a)
{
	return tape_apply(t, &ops_pointers, 1, &scores, a, sizeof(*a));
}

/* Whether the key with the largest score of a row of a sentence is one of the keys that a has. */
bool
op_pointers_right(const struct node *scores, const struct pointers *a, int sentence, int row)
{
	const int len = scores->keys->len[sentence], T = scores->queries->len[sentence];
	const int at = scores->queries->start[sentence] + row;
	const real *x = scores->x + scores->block[sentence] +
		((ptrdiff_t)a->head * T + row) * len;
	int best = 0;

	for (int j = 1; j < len; j++)
		best = x[j] > x[best] ? j : best;
	if (!a->first)
		return a->target[at] == best;
	for (int k = a->first[at]; k < a->first[at + 1]; k++)
		if (a->target[k] == best)
			return true;
	return false;
}
