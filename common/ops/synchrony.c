/*
 * synchrony: the distance of target dependencies from source dependencies projected by attention.
 *
 * Deguchi, Tamura and Ninomiya 2021, Synchronous syntactic attention for Transformer NMT, equations
 * 7 to 10.  With the weights of cross-attention C [J,I], source dependencies E [I,I] and target
 * dependencies D [J,J]: M = C E C', D'_t = softmax of M_tq / temperature over q <= t, and the loss
 * is the sum of (D'_tq - D_tq)^2 over q <= t.  The temperature is 1 in the paper.  SYNC_RENORM,
 * which is not in the paper, divides each row of M by its sum instead of the softmax.
 */
#include "base/err.h"
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

#ifndef OPS_H
struct synchrony {
	int cross_head, source_head, target_head;
	enum { SYNC_SOFTMAX, SYNC_RENORM } map;
	real temperature;		/* of SYNC_SOFTMAX */
	/* Blocks the gradient into D' (MAPPED) or D (TARGET). */
	enum { SYNC_STOP_NONE, SYNC_STOP_MAPPED, SYNC_STOP_TARGET } stop;
};
/* The projection of a sentence with J target rows and I source rows. */
struct synchrony_projection {
	const real *ce, *ct;		/* C E [J,I], C' [I,J] */
	const real *m, *mapped;		/* [J,J]: M and D', 0 for q > t */
};
#endif

enum { CROSS, SOURCE, TARGET };		/* inputs of the op */

static void
synchrony_infer(struct node *n, struct arena *mem)
{
	const struct node *c = n->in[CROSS], *e = n->in[SOURCE], *d = n->in[TARGET];

	(void)mem;
	if (!c->block || !e->block || !d->block || e->queries != e->keys || d->queries != d->keys ||
	    c->queries != d->queries || c->keys != e->keys)
		bug_shapes(n);
	n->n_dim = 0;
}

static size_t
synchrony_saved(const struct node *n)
{
	return (size_t)n->in[CROSS]->queries->n * sizeof(real);
}

/* A sentence with J target rows and I source rows, and its matrices in scratch memory. */
struct sentence {
	int i, J, I;
	const real *e, *d;		/* the heads with dependencies */
	real *c;			/* [J,I] of one head, or the mean of all */
	struct synchrony_projection p;
	real *rest;
};

static size_t
room_for(const struct node *n)
{
	const size_t J = (size_t)heads_longest(n->in[TARGET]->queries);
	const size_t I = (size_t)heads_longest(n->in[SOURCE]->queries);

	return 6 * J * I + 4 * J * J + I * I;
}

static void
synchrony_multiply(int m, int n, int k, const real *a, ptrdiff_t as, ptrdiff_t ap, const real *b,
		   real beta, real *c)
{
	const struct small s = { .m = m, .n = n, .k = k, .a = a, .as = as, .ap = ap, .b = b,
				 .ldb = n, .c = c,
				 .ldc = n, .alpha = 1, .beta = beta };

	k_small(&s);
}

/* The number of heads of C, the first of them, and the weight of each. */
static int
cross_heads(const struct node *n, int *first)
{
	const int head = ((const struct synchrony *)n->arg)->cross_head;

	*first = head < 0 ? 0 : head;
	return head < 0 ? n->in[CROSS]->heads : 1;
}

static void
mean_cross(const struct node *n, const struct sentence *s)
{
	const size_t cells = (size_t)s->J * (size_t)s->I;
	const real *x = n->in[CROSS]->x + n->in[CROSS]->block[s->i];
	int first, heads = cross_heads(n, &first);

	for (int h = first; h < first + heads; h++)
		k_axpby(cells, 1 / (real)heads, x + (size_t)h * cells, h > first, s->c);
}

/* Computes D'_t from the first t + 1 elements of the row M_t. */
static void
map_row(const struct synchrony *a, int n, const real *m, real *mapped)
{
	double sum = 0;

	if (a->map == SYNC_RENORM) {
		for (int q = 0; q < n; q++)
			sum += (double)m[q];
		for (int q = 0; q < n; q++)
			mapped[q] = sum > 0 ? (real)((double)m[q] / sum) : 0;
		return;
	}
	for (int q = 0; q < n; q++)
		mapped[q] = m[q] / a->temperature;
	k_softmax(n, mapped, mapped);
}

/*
 * Computes M and D' of a sentence from C [J,I] and E [I,I], as the loss does.  The result is in
 * `room', which has 2 J (I + J) elements.
 */
struct synchrony_projection
op_synchrony_project(const struct synchrony *a, int J, int I, const real *c, const real *e,
		     real *room)
{
	const ptrdiff_t JI = (ptrdiff_t)J * I, JJ = (ptrdiff_t)J * J;
	real *ce = room, *ct = ce + JI, *m = ct + JI, *mapped = m + JJ;

	synchrony_multiply(J, I, I, c, I, 1, e, 0, ce);
	k_transpose(J, I, c, I, ct, J, J);
	synchrony_multiply(J, J, I, ce, I, 1, ct, 0, m);
	k_zero((size_t)JJ, mapped);
	for (int t = 0; t < J; t++)
		map_row(a, t + 1, m + (ptrdiff_t)t * J, mapped + (ptrdiff_t)t * J);
	return (struct synchrony_projection){ .ce = ce, .ct = ct, .m = m, .mapped = mapped };
}

static struct sentence
map_sentence(const struct node *n, int i, real *room)
{
	const struct node *e = n->in[SOURCE], *d = n->in[TARGET];
	const struct synchrony *a = n->arg;
	struct sentence s = { .i = i, .J = d->queries->len[i], .I = e->queries->len[i] };
	const ptrdiff_t JI = (ptrdiff_t)s.J * s.I, JJ = (ptrdiff_t)s.J * s.J;
	const ptrdiff_t II = (ptrdiff_t)s.I * s.I;

	s.e = e->x + e->block[i] + a->source_head * II;
	s.d = d->x + d->block[i] + a->target_head * JJ;
	s.c = room;
	s.rest = room + 3 * JI + 2 * JJ;
	mean_cross(n, &s);
	s.p = op_synchrony_project(a, s.J, s.I, s.c, s.e, room + JI);
	return s;
}

static void
synchrony_forward_one(void *arg, int i, real *room)
{
	const struct node *n = arg;
	const struct sentence s = map_sentence(n, i, room);
	const real *mapped = s.p.mapped;
	double loss = 0;

	for (int t = 0; t < s.J; t++)
		for (int q = 0; q <= t; q++) {
			const double off = (double)mapped[t * s.J + q] - (double)s.d[t * s.J + q];

			loss += off * off;
		}
	((real *)n->saved)[i] = (real)loss;
}

static void
synchrony_forward(struct node *n, struct pass *p)
{
	const int sentences = n->in[CROSS]->queries->n;

	heads_run(p, sentences, room_for(n), synchrony_forward_one, n);
	*n->x = (real)k_sum((size_t)sentences, n->saved);
}

struct synchrony_job { struct node *n; real *to[3], beta[3]; };

/* g[t] = 2 seed (D' - D) for q <= t, else 0; replaced by dM. */
static void
gradient_of_map(const struct node *n, const struct sentence *s, real *g)
{
	const struct synchrony *a = n->arg;

	for (int t = 0; t < s->J; t++) {
		real *row = g + (ptrdiff_t)t * s->J;
		const real *mapped = s->p.mapped + (ptrdiff_t)t * s->J;
		const real *m = s->p.m + (ptrdiff_t)t * s->J;
		double dot = 0, sum = 0;

		for (int q = 0; q <= t; q++) {
			dot += (double)row[q] * (double)mapped[q];
			sum += (double)m[q];
		}
		for (int q = 0; q <= t; q++) {
			const double off = (double)row[q] - dot;

			row[q] = a->map == SYNC_RENORM ? (real)(sum > 0 ? off / sum : 0)
						       : mapped[q] * (real)off / a->temperature;
		}
	}
}

static void
synchrony_difference(const struct node *n, const struct sentence *s, real factor, real *g)
{
	k_zero((size_t)s->J * (size_t)s->J, g);
	for (int t = 0; t < s->J; t++)
		for (int q = 0; q <= t; q++)
			g[t * s->J + q] = factor * *n->grad *
				(s->p.mapped[t * s->J + q] - s->d[t * s->J + q]);
}

/*
 * Adds the gradient of a head, or equal shares of several heads, to a block that may be
 * uninitialized.
 */
static void
synchrony_give(const struct synchrony_job *j, int input, int i, const real *g, int first, int heads)
{
	const struct node *in = j->n->in[input];
	const size_t cells = (size_t)in->queries->len[i] * (size_t)in->keys->len[i];
	real *to = j->to[input] + in->block[i];

	if (j->beta[input] == 0)
		k_zero((size_t)(in->block[i + 1] - in->block[i]), to);
	for (int h = first; g && h < first + heads; h++)
		k_axpby(cells, 1 / (real)heads, g, 1, to + (size_t)h * cells);
}

/* dC = dM C E' + dM' C E, in memory that is no longer needed; dE = C' dM C. */
static void
give_mapped(const struct synchrony_job *j, const struct sentence *s, real *dm)
{
	const struct synchrony *a = j->n->arg;
	const ptrdiff_t JI = (ptrdiff_t)s->J * s->I;
	real *et = dm + (ptrdiff_t)s->J * s->J, *dmc = et + (ptrdiff_t)s->I * s->I, *dc = dmc + JI;
	int first, heads = cross_heads(j->n, &first);

	synchrony_multiply(s->J, s->I, s->J, dm, s->J, 1, s->c, 0, dmc);
	if (j->to[CROSS]) {
		k_transpose(s->I, s->I, s->e, s->I, et, s->I, s->I);
		synchrony_multiply(s->J, s->I, s->I, dmc, s->I, 1, et, 0, dc);
		synchrony_multiply(s->J, s->I, s->J, dm, 1, s->J, s->p.ce, 1, dc);
		synchrony_give(j, CROSS, s->i, dc, first, heads);
	}
	if (j->to[SOURCE]) {
		synchrony_multiply(s->I, s->I, s->J, s->p.ct, s->J, 1, dmc, 0, et);
		synchrony_give(j, SOURCE, s->i, et, a->source_head, 1);
	}
}

static void
synchrony_gradient_one(void *arg, int i, real *room)
{
	const struct synchrony_job *j = arg;
	const struct node *n = j->n;
	const struct synchrony *a = n->arg;
	const struct sentence s = map_sentence(n, i, room);
	real *g = s.rest;

	if (j->to[TARGET]) {
		synchrony_difference(n, &s, -2, g);
		synchrony_give(j, TARGET, i, a->stop == SYNC_STOP_TARGET ? NULL : g, a->target_head,
			       1);
	}
	if (a->stop == SYNC_STOP_MAPPED) {
		for (int k = CROSS; k <= SOURCE; k++)
			if (j->to[k])
				synchrony_give(j, k, i, NULL, 0, 1);
		return;
	}
	synchrony_difference(n, &s, 2, g);
	gradient_of_map(n, &s, g);
	give_mapped(j, &s, g);
}

static void
synchrony_gradient(struct node *n, struct pass *p)
{
	struct synchrony_job j = { .n = n };

	for (int k = 0; k < 3; k++)
		j.to[k] = grad_of(p, n->in[k], &j.beta[k]);
	heads_run(p, n->in[CROSS]->queries->n, room_for(n), synchrony_gradient_one, &j);
}

static struct node *
case_synchrony_of(struct case_bench *b, struct synchrony synchrony)
{
	struct tape *t = case_tape(b);
	const struct layout *src = case_layout(b, CASE_SOURCE), *tgt = case_layout(b, CASE_TARGET);
	struct node *x = case_rows(b, src, 6), *y = case_rows(b, tgt, 6);
	struct node *c = op_softmax(t,
				    op_scores(t, case_rows(b, tgt, 6), x, tgt, src, 3, 1, false));
	struct node *e = op_softmax(t,
				    op_scores(t, x, case_rows(b, src, 6), src, src, 2, 1, false));
	struct node *d = op_softmax(t, op_scores(t, y, case_rows(b, tgt, 6), tgt, tgt, 2, 1, true));

	return op_synchrony(t, c, e, d, &synchrony);
}

static struct node *
case_synchrony_softmax(struct case_bench *b)
{
	return case_synchrony_of(b, (struct synchrony){
		.cross_head = -1, .target_head = 1, .map = SYNC_SOFTMAX, .temperature = (real)0.7
	});
}

static struct node *
case_renorm(struct case_bench *b)
{
	return case_synchrony_of(b, (struct synchrony){
		.cross_head = 2, .source_head = 1, .map = SYNC_RENORM, .temperature = 1
	});
}

static const struct op_case cases[] = {
	{ "mean of cross-attention heads, softmax", case_synchrony_softmax,
	  CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ "one cross-attention head, normalized rows", case_renorm,
	  CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ 0 }
};

const struct op ops_synchrony = {
	.name = "synchrony",
	.formula = "sum over q <= t of (softmax(C E C')_tq - D_tq)^2",
	.flags = OP_LOSS,
	.infer = synchrony_infer,
	.saved = synchrony_saved,
	.forward = synchrony_forward,
	.gradient = synchrony_gradient,
	.relevance = relevance_none,
	.cases = cases,
};

/*
 * The loss of Deguchi, Tamura and Ninomiya 2021 (synchrony.c), summed over the batch.  cross,
 * source and target are blocks of weights; of each, a->..._head is used.  cross_head -1 is the mean
 * of all heads.
 */
struct node *
op_synchrony(struct tape *t, struct node *cross, struct node *source, struct node *target,
	     const struct synchrony *a)
{
	return tape_apply(t, &ops_synchrony, 3, (struct node *[]){ cross, source, target }, a,
			  sizeof(*a));
}
