/*
 * next-token: the most probable next tokens; see next-token.h.
 *
 * The output projection is computed for PART vocabulary entries at a time, and the best entries of
 * each part are selected while it is in the processor's cache.
 */
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "model/layer-params.h"
#include "model/matrices.h"
#include "search/next-candidates.h"
#include "search/next-token.h"
#include "tape/op.h"
#include "tensor/kernels.h"
#include "tensor/product.h"

enum { PART = 512 };

static int
n_parts(const struct param *output)
{
	return (output->d[0] + PART - 1) / PART;
}

/* The product of decoder outputs with part i of the output projection. */
static struct gemm
model_part_of(const struct param *output, int i)
{
	const int first = i * PART, rest = output->d[0] - first;

	return (struct gemm){
		.n = rest < PART ? rest : PART, .k = output->d[1], .trans_b = true, .alpha = 1,
		.b = output->x + (ptrdiff_t)first * output->d[1], .ldb = output->d[1], .ldc = PART,
	};
}

struct preparation { struct model *m; const struct backend *backend; struct pool *pool; };

static void
prepare_matrix(void *arg, struct param *w)
{
	const struct preparation *p = arg;
	const struct gemm g = { .n = w->d[0], .k = w->d[1], .trans_b = true, .b = w->x,
				.ldb = w->d[1] };

	w->prepared = product_prepare(p->backend, p->pool, &p->m->prepared, &g);
}

void
model_prepare(struct model *m, const struct backend *b, struct pool *pool)
{
	struct model_layers *l = m->layers;
	struct preparation p = { m, b, pool };

	matrices_visit(m, prepare_matrix, &p);
	l->output_part = ARENA_ARRAY(&m->prepared, const struct prepared *, n_parts(l->output));
	for (int i = 0; i < n_parts(l->output); i++) {
		const struct gemm g = model_part_of(l->output, i);

		l->output_part[i] = product_prepare(b, pool, &m->prepared, &g);
	}
}

void
model_prepare_loss(struct model *m, const struct backend *b, struct pool *pool)
{
	struct preparation p = { m, b, pool };

	model_prepare(m, b, pool);
	prepare_matrix(&p, m->layers->output);
}

struct selection {
	const struct next_tokens *what;
	const real *bias;		/* or NULL */
	const unsigned char *valid;	/* or NULL */
	int first, n, n_vocab;		/* vocabulary entries of this part; V */
	real *logits;			/* [rows, PART] */
};

/* Adds the best entries of the part in rows [from, to) to their lists. */
static void
select_best(void *arg, int from, int to)
{
	const struct selection *f = arg;
	const struct next_tokens *w = f->what;

	for (int r = from; r < to; r++) {
		real *x = f->logits + (ptrdiff_t)r * PART;

		if (f->bias)
			k_bias(f->n, f->bias + f->first, x);
		for (int i = 0; f->valid && i < f->n; i++)
			if (!f->valid[f->first + i])
				x[i] = -(real)INFINITY;
		k_best(&w->best[r], f->first, f->n, x, w->from[r], w->to[r]);
		if (w->all)
			memcpy(w->all + (ptrdiff_t)r * f->n_vocab + f->first, x,
			       (size_t)f->n * sizeof(*x));
	}
}

/* Ends row r: logits become log-probabilities. */
static void
model_normalize(const struct next_tokens *w, int n_vocab, int r)
{
	real *x = w->all ? w->all + (ptrdiff_t)r * n_vocab : NULL;
	const real shift = best_log_sum(&w->best[r]);

	best_log_probs(&w->best[r]);
	for (int i = 0; x && i < n_vocab; i++)
		x[i] -= shift;
}

void
model_next(struct model *m, struct tape *t, struct node *h, const struct next_tokens *next)
{
	const struct model_layers *l = m->layers;
	struct pass *p = tape_pass(t);
	struct arena_mark mark;
	struct selection f;

	if (next->among) {
		next_candidates(m, t, h, next);
		return;
	}
	mark = arena_mark(p->scratch);
	f = (struct selection){
		.what = next, .bias = l->output_bias ? l->output_bias->x : NULL,
		.valid = m->tgt_valid, .n_vocab = l->output->d[0],
		.logits = ARENA_ARRAY(p->scratch, real, (size_t)h->d[0] * PART),
	};

	for (int i = 0; i < n_parts(l->output); i++) {
		struct gemm g = model_part_of(l->output, i);

		g.m = h->d[0], g.a = h->x, g.lda = h->ld, g.c = f.logits;
		g.prepared = l->output_part ? l->output_part[i] : NULL;
		f.first = i * PART;
		f.n = g.n;
		product(p->backend, p->pool, p->scratch, &g, select_best, &f);
	}
	for (int r = 0; r < h->d[0]; r++)
		model_normalize(next, f.n_vocab, r);
	arena_rewind_to(p->scratch, mark);
}
