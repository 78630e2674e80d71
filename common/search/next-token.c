/*
 * next-token: the most probable next tokens; see next-token.h.
 *
 * The output projection is computed for PART vocabulary entries at a time, and the best entries of
 * each part are selected while it is in the processor's cache.
 */
#include "search/next-token.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "model/layer-params.h"
#include "tape/op.h"
#include "tensor/backend/backend.h"
#include "tensor/dots.h"
#include "tensor/int8.h"
#include "tensor/kernels.h"
#include "tensor/product.h"
#include "tensor/tiles.h"

enum {
	PART = 512,
	LARGE = 1 << 26			/* parameters */
};

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
	const ptrdiff_t at = (ptrdiff_t)first * output->d[1];

	return (struct gemm){
		.n = rest < PART ? rest : PART, .k = output->d[1], .trans_b = true, .alpha = 1,
		.b = output->x ? output->x + at : NULL, .ldb = output->d[1], .ldc = PART,
		.b8 = output->q ? output->q + at : NULL,
		.b_unit = output->q ? output->unit + first : NULL,
	};
}

struct preparation {
	struct model *m;
	const struct backend *backend;
	struct pool *pool;
	bool steps;			/* only what each step of decoding reads */
	bool narrow;			/* only narrow weights, which have no other form */
};

/* The encoder, and the keys and values of its output, are computed once for each batch. */
static bool
is_of_steps(const struct param *w)
{
	return strncmp(w->name, "enc.", 4) && !strstr(w->name, ".cross.kv.");
}

/* A narrow weight is read only here and in relevance, unless the back end does not prepare it. */
static void
prepare_matrix(void *arg, struct param *w)
{
	const struct preparation *p = arg;
	const struct gemm g = { .n = w->d[0], .k = w->d[1], .trans_b = true, .b = w->x,
				.b8 = w->q, .b_unit = w->unit, .ldb = w->d[1] };

	if (p->narrow && !w->q)
		return;
	if (!p->steps || w->q || is_of_steps(w))
		w->prepared = product_prepare(p->backend, p->pool, &p->m->prepared, &g);
	if (!w->prepared)
		param_widen(w);
	else if (w->q && !p->steps)
		param_drop(w);
}

/* Does not free a narrow output projection: embeddings or candidates read it. */
static void
prepare_output(struct preparation *p)
{
	struct model_layers *l = p->m->layers;
	const int n = n_parts(l->output);

	l->output_part = ARENA_ARRAY(&p->m->prepared, const struct prepared *, n);
	for (int i = 0; i < n; i++) {
		const struct gemm g = model_part_of(l->output, i);

		l->output_part[i] = product_prepare(p->backend, p->pool, &p->m->prepared, &g);
		if (!l->output_part[i])
			param_widen(l->output);
	}
}

static void
prepare_all(struct preparation *p)
{
	matrices_visit(p->m, prepare_matrix, p);
	prepare_output(p);
}

void
model_prepare(struct model *m, const struct backend *b, struct pool *pool)
{
	prepare_all(&(struct preparation){ .m = m, .backend = b, .pool = pool });
}

void
model_prepare_steps(struct model *m, const struct backend *b, struct pool *pool)
{
	struct preparation p = { .m = m, .backend = b, .pool = pool, .steps = true };

	prepare_all(&p);
	if (m->layers->output->q)
		prepare_matrix(&p, m->layers->output);
}

void
model_prepare_loss(struct model *m, const struct backend *b, struct pool *pool)
{
	struct preparation p = { .m = m, .backend = b, .pool = pool,
				 .narrow = m->params.total > LARGE };

	matrices_visit(m, prepare_matrix, &p);
	param_widen(m->layers->output);		/* embeddings read it, too */
	prepare_matrix(&p, m->layers->output);
}

void
model_prepare_next(struct model *m, const struct backend *b, struct pool *pool)
{
	prepare_output(&(struct preparation){ .m = m, .backend = b, .pool = pool });
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

/*
 * --- candidates ---
 *
 * Each row of the output projection is read where it is, without a copy for the sentence.
 * Successive rows with the same candidates form a group, so that a beam reads each of them once.
 */

/* The output projection as bytes, with a row of products for each vocabulary entry. */
struct output_rows {
	void (*dots)(const struct byte_dots *d);
	int k;				/* bytes of a row, with padding */
	int8_t *w;			/* [V, k] */
	real *unit;			/* [V] */
	int32_t *start;			/* [V] struct byte_dots */
};

struct rows_job { const struct param *output; struct output_rows *to; };

/* Stores the integers of a row of the output projection in q; returns their unit. */
static real
take_output(const struct param *output, int row, int8_t *q)
{
	const int n = output->d[1];
	const ptrdiff_t at = (ptrdiff_t)row * n;
	real unit;

	if (output->q) {
		memcpy(q, output->q + at, (size_t)n);
		return output->unit[row];
	}
	unit = k_unit_int8(n, output->x + at);
	k_to_int8(n, output->x + at, unit, 0, q);
	return unit;
}

static void
convert_row(void *arg, int row, int thread)
{
	const struct rows_job *j = arg;
	const int n = j->output->d[1];
	int8_t *q = j->to->w + (ptrdiff_t)row * j->to->k;
	int32_t sum = 0;

	(void)thread;
	j->to->unit[row] = take_output(j->output, row, q);
	for (int i = 0; i < n; i++)
		sum += q[i];
	for (int i = n; i < j->to->k; i++)
		q[i] = 0;
	j->to->start[row] = -INT8_SHIFT * sum;
}

void
model_prepare_candidates(struct model *m, const struct backend *b, struct pool *pool)
{
	const struct param *output = m->layers->output;
	struct output_rows *to;
	struct rows_job j;

	if (!(b->caps & BACKEND_INT8))
		return;
	to = ARENA_ARRAY(&m->prepared, struct output_rows, 1);
	to->dots = tile_kernels_find("")->byte_dots;
	to->k = (output->d[1] + DOTS_BYTES - 1) / DOTS_BYTES * DOTS_BYTES;
	to->w = ARENA_ARRAY(&m->prepared, int8_t, (ptrdiff_t)output->d[0] * to->k);
	to->unit = ARENA_ARRAY(&m->prepared, real, output->d[0]);
	to->start = ARENA_ARRAY(&m->prepared, int32_t, output->d[0]);
	j = (struct rows_job){ output, to };
	pool_run(pool, output->d[0], convert_row, &j);
	m->layers->output_rows = to;
}

/* Rows [from, to) have the same candidates. */
struct group { int from, to; };

struct candidates_job {
	const struct model *m;
	const struct node *h;
	const struct next_tokens *what;
	const struct group *group;
	size_t logits, rows;		/* maxima of a group: logits and rows */
	real *room, *unit;		/* per thread: logits, and units of rows */
	uint8_t *q;			/* per thread: rows as bytes */
};

/* The logits of a group as products of bytes, at x. */
static void
multiply_bytes(const struct candidates_job *j, struct group g, int thread, real *x)
{
	const struct output_rows *o = j->m->layers->output_rows;
	const struct candidates *c = j->what->among[g.from];
	const int width = j->h->d[1];
	uint8_t *q = j->q + (size_t)thread * j->rows * (size_t)o->k;
	real *unit = j->unit + (size_t)thread * j->rows;
	const struct byte_dots d = {
		.rows = g.to - g.from, .n = c->n, .k = o->k, .id = c->id, .a = q, .w = o->w,
		.lda = o->k, .ldw = o->k, .ldc = c->n, .a_unit = unit, .w_unit = o->unit,
		.start = o->start, .c = x,
	};

	for (int r = 0; r < d.rows; r++, q += o->k) {
		const real *row = j->h->x + (ptrdiff_t)(g.from + r) * j->h->ld;

		unit[r] = k_unit_int8(width, row);
		k_to_int8(width, row, unit[r], INT8_SHIFT, q);
		for (int i = width; i < o->k; i++)
			q[i] = 0;
	}
	o->dots(&d);
}

static void
next_multiply(const struct candidates_job *j, struct group g, real *x)
{
	const struct candidates *c = j->what->among[g.from];
	const struct param *w = j->m->layers->output;
	const struct dots d = {
		.rows = g.to - g.from, .n = c->n, .k = w->d[1], .id = c->id,
		.a = j->h->x + (ptrdiff_t)g.from * j->h->ld, .lda = j->h->ld,
		.w = w->x, .ldw = w->d[1], .c = x, .ldc = c->n,
	};

	k_dots(&d);
}

/* The number of candidates below id. */
static int
next_position(const struct candidates *c, int id)
{
	int from = 0, to = c->n;

	while (from < to) {
		const int middle = from + (to - from) / 2;

		if (c->id[middle] < id)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Stores the log-probabilities of row r from its logits x. */
static void
store_all(const struct candidates_job *j, int r, const real *x)
{
	const struct candidates *c = j->what->among[r];
	const int n_vocab = j->m->layers->output->d[0];
	const real shift = best_log_sum(&j->what->best[r]);
	real *all = j->what->all + (ptrdiff_t)r * n_vocab;

	for (int v = 0; v < n_vocab; v++)
		all[v] = isnan(shift) ? (real)NAN : -(real)INFINITY;
	for (int i = 0; i < c->n; i++)
		all[c->id[i]] = x[i] - shift;
}

/* Finds the best candidates of row r from its logits. */
static void
select_row(const struct candidates_job *j, int r, real *x)
{
	const struct candidates *c = j->what->among[r];
	const struct param *bias = j->m->layers->output_bias;
	const unsigned char *valid = j->m->tgt_valid;
	struct best *best = &j->what->best[r];

	for (int i = 0; bias && i < c->n; i++)
		x[i] += bias->x[c->id[i]];
	for (int i = 0; valid && i < c->n; i++)
		if (!valid[c->id[i]])
			x[i] = -(real)INFINITY;
	k_best(best, 0, c->n, x, next_position(c, j->what->from[r]),
	       next_position(c, j->what->to[r]));
	if (j->what->all)
		store_all(j, r, x);
	best_log_probs(best);
	for (int i = 0; i < best->n; i++)
		best->list[i].id = c->id[best->list[i].id];
}

static void
do_group(void *arg, int piece, int thread)
{
	const struct candidates_job *j = arg;
	const struct group g = j->group[piece];
	real *x = j->room + (size_t)thread * j->logits;

	if (j->m->layers->output_rows)
		multiply_bytes(j, g, thread, x);
	else
		next_multiply(j, g, x);
	for (int r = g.from; r < g.to; r++)
		select_row(j, r, x + (ptrdiff_t)(r - g.from) * j->what->among[r]->n);
}

/* Splits n rows into groups, and sets the maxima of j; returns the number of groups. */
static int
next_split(struct candidates_job *j, int n, struct group *group)
{
	const struct candidates *const *among = j->what->among;
	int groups = 0;

	for (int from = 0, to; from < n; from = to) {
		size_t rows, logits;

		for (to = from + 1; to < n && among[to] == among[from]; to++)
			;
		group[groups++] = (struct group){ from, to };
		rows = (size_t)(to - from);
		logits = rows * (size_t)among[from]->n;
		j->rows = rows > j->rows ? rows : j->rows;
		j->logits = logits > j->logits ? logits : j->logits;
	}
	j->group = group;
	return groups;
}

static void
next_candidates(struct model *m, struct tape *t, struct node *h, const struct next_tokens *next)
{
	struct pass *p = tape_pass(t);
	struct arena_mark mark = arena_mark(p->scratch);
	const size_t threads = (size_t)pool_threads(p->pool);
	const struct output_rows *o = m->layers->output_rows;
	struct candidates_job j = { .m = m, .h = h, .what = next };
	const int groups = next_split(&j, h->d[0], ARENA_ARRAY(p->scratch, struct group, h->d[0]));

	j.room = ARENA_ARRAY(p->scratch, real, threads * j.logits);
	j.unit = ARENA_ARRAY(p->scratch, real, threads * j.rows);
	j.q = ARENA_ARRAY(p->scratch, uint8_t, o ? threads * j.rows * (size_t)o->k : 0);
	pool_run(p->pool, groups, do_group, &j);
	arena_rewind_to(p->scratch, mark);
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
