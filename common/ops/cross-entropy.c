/*
 * cross-entropy: label-smoothed loss of the logits h w' + b, summed over the rows.
 *
 * Rows are processed in chunks, so that the logits are never stored all at once.  In training, the
 * gradients of a chunk are computed along with its logits, for a loss of weight 1, and the backward
 * pass only scales them.  Otherwise the backward pass computes the logits again.  The gradients of
 * logits replace them, rounded to bf16 if the back end reads such factors in both products.
 */
#include <math.h>
#include <string.h>

#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"
#include "tensor/product.h"

#ifndef OPS_H
enum smoothing { SMOOTHING_FAIRSEQ_OLD, SMOOTHING_FAIRSEQ_NEW, SMOOTHING_ONMT, SMOOTHING_T2T };
struct cross_entropy {
	const int *target;
	const unsigned char *valid;
	enum smoothing variant;
	real smoothing;
	int pad;			/* the entry that SMOOTHING_ONMT excludes */
};
#endif

enum { CHUNK = 1024 };		/* rows */

struct kept {
	real *nll;			/* [R] */
	real *dh, *dw, *db;		/* gradients for a loss of weight 1 */
	bool have;
};

static size_t
cross_entropy_whole(size_t n)
{
	return (n * sizeof(real) + 63) / 64 * 64;
}

static int
early(const struct node *n)
{
	return n->wants_grad;
}

static void
cross_entropy_infer(struct node *n, struct arena *mem)
{
	const struct node *h = n->in[0], *w = n->in[1], *b = n->in[2];

	(void)mem;
	if (h->n_dim != 2 || w->n_dim != 2 || h->d[1] != w->d[1] || (b && b->d[0] != w->d[0]))
		bug_shapes(n);
	n->n_dim = 0;
}

static size_t
cross_entropy_saved(const struct node *n)
{
	const struct node *h = n->in[0], *w = n->in[1], *b = n->in[2];
	size_t size = 64 + cross_entropy_whole((size_t)h->d[0]);

	if (early(n))
		size += (h->wants_grad ? cross_entropy_whole(node_size(h)) : 0) +
			(w->wants_grad ? cross_entropy_whole(node_size(w)) : 0) +
			(b && b->wants_grad ? cross_entropy_whole(node_size(b)) : 0);
	return size;
}

static real *
cross_entropy_part(char **at, size_t n)
{
	real *p = (real *)(void *)*at;

	*at += cross_entropy_whole(n);
	return p;
}

static struct kept *
cross_entropy_lay_out(struct node *n)
{
	const struct node *h = n->in[0], *w = n->in[1], *b = n->in[2];
	struct kept *k = n->saved;
	char *at = (char *)n->saved + 64;

	memset(k, 0, sizeof(*k));
	k->nll = cross_entropy_part(&at, (size_t)h->d[0]);
	if (h->wants_grad)
		k->dh = cross_entropy_part(&at, node_size(h));
	if (w->wants_grad)
		k->dw = cross_entropy_part(&at, node_size(w));
	if (b && b->wants_grad)
		k->db = cross_entropy_part(&at, node_size(b));
	return k;
}

/*
 * The sum of q log q over the targets of a row, which SMOOTHING_T2T subtracts, so that the minimum
 * loss is 0.
 */
static double
entropy(double gold, double low, int n_low)
{
	return (gold > 0 ? gold * log(gold) : 0) + (low > 0 ? n_low * low * log(low) : 0);
}

/*
 * The smoothing of each toolkit (cross-entropy.h); V is the number of vocabulary entries that are
 * neither masked nor the padding that SMOOTHING_ONMT excludes.
 */
static struct smooth
smooth_of(const struct cross_entropy *c, int types)
{
	const bool onmt = c->variant == SMOOTHING_ONMT;
	struct smooth s = { .valid = c->valid, .skip = onmt ? c->pad : -1 };
	int V = types;
	double e = c->smoothing, low, gold = 1 - e;

	if (c->valid) {
		V = 0;
		for (int v = 0; v < types; v++)
			V += c->valid[v] != 0;
	}
	if (onmt && (!c->valid || c->valid[c->pad]))
		V--;
	s.n_counted = V;
	low = V > 1 ? e / (V - 1) : 0;
	if (c->variant == SMOOTHING_FAIRSEQ_OLD) {
		low = e / V;
		gold = 1 - e + low;
	}
	s.low = (real)low;
	s.gold = (real)gold;
	if (c->variant == SMOOTHING_T2T)
		s.constant = (real)-entropy(gold, low, V - 1);
	return s;
}

struct cross_entropy_job {
	struct node *n;
	const struct cross_entropy *c;
	struct smooth smooth;
	struct kept *k;
	real *logits, *loss;
	bool round;			/* their gradients are in bf16, in the same rows */
	int first;			/* row of the chunk */
	const struct prepared *forth, *back;	/* w' for the logits, w for dh */
	bool grad;
};

static void
loss_rows(void *arg, int from, int to)
{
	const struct cross_entropy_job *j = arg;
	const struct node *w = j->n->in[1], *b = j->n->in[2];
	int V = w->d[0];

	for (int r = from; r < to; r++) {
		real *row = j->logits + (ptrdiff_t)r * V;
		struct loss_row l = k_cross_entropy(V, &j->smooth, j->c->target[j->first + r],
						    b ? b->x : NULL, j->grad, row);

		j->loss[j->first + r] = l.loss;
		j->k->nll[j->first + r] = l.nll;
		if (j->round)
			k_to_bf16((size_t)V, row, (bf16 *)(void *)row);
	}
}

static void
chunk_gradients(struct cross_entropy_job *j, struct pass *p, int rows)
{
	struct node *h = j->n->in[0], *w = j->n->in[1];
	real later = j->first ? 1 : 0;
	struct gemm g = { .alpha = 1, .a = j->logits, .lda = w->d[0] };

	if (j->round) {
		g.a16 = (const bf16 *)(const void *)j->logits;
		g.lda *= (int)(sizeof(*j->logits) / sizeof(*g.a16));
	}
	if (j->k->db)
		pass_column_sums(p, rows, w->d[0], j->logits, w->d[0], later, j->k->db);
	if (j->k->dw) {
		g.m = w->d[0], g.n = w->d[1], g.k = rows, g.trans_a = true;
		g.b = h->x + (ptrdiff_t)j->first * h->ld, g.ldb = h->ld;
		g.beta = later, g.c = j->k->dw, g.ldc = w->d[1];
		product(p->backend, p->pool, p->scratch, &g, NULL, NULL);
	}
	if (j->k->dh) {
		g.m = rows, g.n = h->d[1], g.k = w->d[0], g.trans_a = false;
		g.b = w->x, g.ldb = w->ld, g.prepared = j->back;
		g.beta = 0, g.c = j->k->dh + (ptrdiff_t)j->first * h->d[1], g.ldc = h->d[1];
		product(p->backend, p->pool, p->scratch, &g, NULL, NULL);
	}
}

static void
chunk(struct cross_entropy_job *j, struct pass *p, int rows)
{
	const struct node *h = j->n->in[0], *w = j->n->in[1];
	struct gemm g = {
		.m = rows, .n = w->d[0], .k = h->d[1], .trans_b = true, .alpha = 1,
		.a = h->x + (ptrdiff_t)j->first * h->ld, .lda = h->ld, .b = w->x, .ldb = w->ld,
		.c = j->logits, .ldc = w->d[0], .prepared = j->forth,
	};

	product(p->backend, p->pool, p->scratch, &g, loss_rows, j);
	if (j->grad)
		chunk_gradients(j, p, rows);
}

static void
cross_entropy_prepare(struct cross_entropy_job *j, struct pass *p)
{
	const struct node *w = j->n->in[1];
	struct gemm g = { .n = w->d[0], .k = w->d[1], .trans_b = true, .b = w->x, .ldb = w->ld };

	if (!j->forth)
		j->forth = product_prepare(p->backend, p->pool, p->scratch, &g);
	if (j->grad && j->k->dh) {
		g.n = w->d[1], g.k = w->d[0], g.trans_b = false;
		j->back = product_prepare(p->backend, p->pool, p->scratch, &g);
	}
}

static void
all_chunks(struct node *n, struct pass *p, struct kept *k, bool grad, real *loss)
{
	const struct node *h = n->in[0], *w = n->in[1];
	struct cross_entropy_job j = { .n = n, .c = n->arg, .k = k, .grad = grad, .loss = loss,
				       .forth = w->prepared };
	int most = h->d[0] < CHUNK ? h->d[0] : CHUNK;

	j.smooth = smooth_of(j.c, w->d[0]);
	/* The gradient of the bias is a sum of values that are not rounded. */
	j.round = grad && !k->db && p->backend->caps & BACKEND_TRANSPOSES_BF16;
	j.logits = ARENA_ARRAY(p->scratch, real, (size_t)most * (size_t)w->d[0]);
	if (h->d[0] > CHUNK)
		cross_entropy_prepare(&j, p);
	for (j.first = 0; j.first < h->d[0]; j.first += CHUNK) {
		struct arena_mark mark = arena_mark(p->scratch);

		chunk(&j, p, h->d[0] - j.first < CHUNK ? h->d[0] - j.first : CHUNK);
		arena_rewind_to(p->scratch, mark);
	}
	k->have = grad;
}

static void
cross_entropy_forward(struct node *n, struct pass *p)
{
	int rows = n->in[0]->d[0];
	real *loss = ARENA_ARRAY(p->scratch, real, rows);

	all_chunks(n, p, cross_entropy_lay_out(n), p->training && n->wants_grad, loss);
	*n->x = (real)k_sum((size_t)rows, loss);
}

struct scaled { real seed, beta; };

static void
cross_entropy_run(const void *arg, real *const *v, size_t n)
{
	const struct scaled *s = arg;

	k_axpby(n, s->seed, v[0], s->beta, v[1]);
}

static void
pass_to(struct pass *p, struct node *input, real *kept, real seed)
{
	struct scaled s = { .seed = seed };
	real *g = kept ? grad_of(p, input, &s.beta) : NULL;
	struct node dense;

	if (!g)
		return;
	dense = *input;
	dense.ld = input->n_dim == 2 ? input->d[1] : input->ld;
	pass_elements(p, 2, (real *[]){ kept, g }, (const struct node *[]){ &dense, input },
		      cross_entropy_run, &s);
}

static void
cross_entropy_gradient(struct node *n, struct pass *p)
{
	struct kept *k = n->saved;

	if (!k->have)
		all_chunks(n, p, k, true, ARENA_ARRAY(p->scratch, real, n->in[0]->d[0]));
	pass_to(p, n->in[0], k->dh, *n->grad);
	pass_to(p, n->in[1], k->dw, *n->grad);
	pass_to(p, n->in[2], k->db, *n->grad);
}

static struct node *
one_case(struct case_bench *b, enum smoothing variant, const unsigned char *valid, bool bias,
	 int skip)
{
	const struct layout *l = case_layout(b, CASE_TARGET);
	struct cross_entropy c = {
		.target = case_ints(b, l, 5), .valid = valid, .variant = variant,
		.smoothing = (real)0.1, .pad = skip,
	};

	return op_cross_entropy(case_tape(b), case_rows(b, l, 4), case_param(b, 2, 19, 4),
				bias ? case_param(b, 1, 19, 0) : NULL, &c);
}

static const unsigned char some[19] = { 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0 };

static struct node *
case_fairseq_old(struct case_bench *b)
{
	return one_case(b, SMOOTHING_FAIRSEQ_OLD, NULL, true, 0);
}

static struct node *
case_fairseq_new(struct case_bench *b)
{
	return one_case(b, SMOOTHING_FAIRSEQ_NEW, some, false, 0);
}

static struct node *
case_onmt(struct case_bench *b)
{
	return one_case(b, SMOOTHING_ONMT, NULL, true, 7);
}

static struct node *
case_onmt_valid(struct case_bench *b)
{
	return one_case(b, SMOOTHING_ONMT, some, true, 8);
}

static struct node *
case_onmt_masked(struct case_bench *b)
{
	return one_case(b, SMOOTHING_ONMT, some, true, 5);
}

static struct node *
case_t2t(struct case_bench *b)
{
	return one_case(b, SMOOTHING_T2T, some, true, 0);
}

static const struct op_case cases[] = {
	{ "fairseq-old, bias", case_fairseq_old, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ "fairseq-new, masked entries", case_fairseq_new, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ "onmt, padding excluded", case_onmt, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ "onmt, masked entries", case_onmt_valid, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ "onmt, masked padding", case_onmt_masked, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ "t2t, masked entries, bias", case_t2t, CASE_NO_RELEVANCE | CASE_ONE_BATCH },
	{ 0 }
};

const struct op ops_cross_entropy = {
	.name = "cross-entropy",
	.formula = "sum over rows of -sum_v q_v log softmax(h w' + b)_v",
	.flags = OP_LOSS,
	.infer = cross_entropy_infer,
	.saved = cross_entropy_saved,
	.forward = cross_entropy_forward,
	.gradient = cross_entropy_gradient,
	.relevance = relevance_none,
	.cases = cases,
};

/*
 * Label-smoothed cross-entropy of the logits h w' + b, summed over the rows of h.  The logits are
 * never stored all at once.  w is [V,D], b [V] or NULL.  target has an element for each row; an
 * entry v with valid[v] == 0 has probability 0 (valid may be NULL).  The variants are those of
 * --smoothing in nmt-train(1); SMOOTHING_T2T subtracts the constant entropy of the smoothed target,
 * so that the minimum is 0.
 */
struct node *
op_cross_entropy(struct tape *t, struct node *h, struct node *w, struct node *b,
		 const struct cross_entropy *c)
{
	return tape_apply(t, &ops_cross_entropy, 3, (struct node *[]){ h, w, b }, c, sizeof(*c));
}

/* -log p(target) of each row [R], without smoothing; lives as long as the node. */
const real *
op_cross_entropy_rows(const struct node *n)
{
	const struct kept *k = n->saved;

	return k->nll;
}
