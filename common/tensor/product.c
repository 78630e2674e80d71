/* product: splits a product into parts for a pool; see product.h. */
#include "tensor/product.h"

#include <stdatomic.h>

#include "tensor/cut.h"
#include "tensor/kernels.h"

/*
 * The sizes of parts.  They are large because a library packs the second factor again in every
 * call.  They are multiples of all register blocks, because libraries use other kernels at the
 * edges.
 */
enum { ROWS = 512, COLUMNS = 256, FEW_ROWS = 1024 };

struct product_job {
	const struct backend *backend;
	const struct gemm *g;
	int step;
	product_finish *finish;
	void *arg;
};

static void
do_rows(void *arg, int piece, int thread)
{
	const struct product_job *j = arg;
	struct gemm g = *j->g;
	int from = piece * j->step, to = int_min(from + j->step, g.m);

	(void)thread;
	g.a += g.trans_a ? from : (ptrdiff_t)from * g.lda;
	g.c += (ptrdiff_t)from * g.ldc;
	g.m = to - from;
	j->backend->gemm(j->backend, &g);
	if (j->finish)
		j->finish(j->arg, from, to);
}

static void
do_columns(void *arg, int piece, int thread)
{
	const struct product_job *j = arg;
	struct gemm g = *j->g;
	int from = piece * j->step, to = int_min(from + j->step, g.n);

	(void)thread;
	g.b += g.trans_b ? (ptrdiff_t)from * g.ldb : from;
	g.c += from;
	g.n = to - from;
	j->backend->gemm(j->backend, &g);
}

enum { FINISH = 16 };

struct ending { product_finish *finish; void *arg; int rows; };

static void
do_finish(void *arg, int piece, int thread)
{
	const struct ending *e = arg;
	int from = piece * FINISH;

	(void)thread;
	e->finish(e->arg, from, int_min(from + FINISH, e->rows));
}

void
product_finish_all(struct pool *pool, int rows, product_finish *finish, void *arg)
{
	struct ending e = { finish, arg, rows };

	pool_run(pool, div_up(rows, FINISH), do_finish, &e);
}

void
product_alone(const struct backend *b, const struct gemm *g)
{
	struct arena scratch;

	arena_init(&scratch, 0);
	b->gemm_shared(b, g, NULL, &scratch, NULL, NULL);
	arena_release(&scratch);
}

/* Runs the parts on all threads, or on one if the back end is not thread-safe. */
static void
product_run(struct pool *pool, struct product_job *j, int n, int step, pool_work *work)
{
	j->step = step;
	pool_run(j->backend->caps & BACKEND_THREAD_SAFE ? pool : NULL, div_up(n, step), work, j);
}

/* Computes a product by calls of gemm. */
static void
by_parts(const struct backend *b, struct pool *pool, const struct gemm *g, product_finish *finish,
	 void *arg)
{
	struct product_job j = { b, g, 0, finish, arg };

	if (g->m >= FEW_ROWS || g->n <= COLUMNS) {
		product_run(pool, &j, g->m, g->m >= FEW_ROWS ? ROWS : ROWS / 4, do_rows);
		return;
	}
	product_run(pool, &j, g->n, COLUMNS, do_columns);
	if (finish)
		product_finish_all(pool, g->m, finish, arg);
}

static bool
must_round(const struct backend *b)
{
	return b->caps & (BACKEND_BF16 | BACKEND_INT16 | BACKEND_INT8) &&
	       !(b->caps & BACKEND_ROUNDS);
}

/*
 * A rounded copy of a factor, without gaps between rows.  transposed: rows are columns of from.
 */
struct rounding {
	const real *from;
	real *to;
	int ld, rows, width;
	bool transposed;
	void (*round)(int n, const real *x, real *y);
};

static void
round_bf16(int n, const real *x, real *y)
{
	k_round_bf16((size_t)n, x, y);
}

static void
round_row(void *arg, int row, int thread)
{
	const struct rounding *r = arg;
	const real *from = r->from + (ptrdiff_t)row * r->ld;
	real *to = r->to + (ptrdiff_t)row * r->width;

	(void)thread;
	if (r->transposed) {
		k_transpose(r->width, 1, r->from + row, r->ld, to, r->width, r->width);
		from = to;
	}
	r->round(r->width, from, to);
}

static const real *
rounded(struct pool *pool, struct arena *scratch, struct rounding r)
{
	r.to = ARENA_ARRAY(scratch, real, (size_t)r.rows * (size_t)r.width);
	pool_run(pool, r.rows, round_row, &r);
	return r.to;
}

/*
 * Replaces the factors by rounded copies.  bf16 is rounded in the layout of the factor.  Integers
 * have a unit per row of op(A) and column of op(B), so both are copied with k along the rows.
 */
static void
round_factors(const struct backend *b, struct pool *pool, struct arena *scratch, struct gemm *g)
{
	const bool floats = b->caps & BACKEND_BF16;
	const bool a_columns = g->trans_a && floats, b_columns = !g->trans_b && floats;
	void (*round)(int n, const real *x, real *y) = floats ? round_bf16
		: b->caps & BACKEND_INT8 ? k_round_int8 : k_round_int16;
	const struct rounding ra = {
		.from = g->a, .ld = g->lda, .transposed = g->trans_a && !floats, .round = round,
		.rows = a_columns ? g->k : g->m, .width = a_columns ? g->m : g->k,
	}, rb = {
		.from = g->b, .ld = g->ldb, .transposed = !g->trans_b && !floats, .round = round,
		.rows = b_columns ? g->k : g->n, .width = b_columns ? g->n : g->k,
	};

	g->a = rounded(pool, scratch, ra);
	g->b = rounded(pool, scratch, rb);
	g->trans_a = a_columns;
	g->trans_b = !b_columns;
	g->lda = ra.width;
	g->ldb = rb.width;
}

/* A factor in bf16, and where its elements are widened, without gaps between rows. */
struct widening { const bf16 *from; real *to; int ld, width; };

static void
widen_row(void *arg, int row, int thread)
{
	const struct widening *w = arg;

	(void)thread;
	k_from_bf16((size_t)w->width, w->from + (ptrdiff_t)row * w->ld,
		    w->to + (ptrdiff_t)row * w->width);
}

static const real *
widened(struct pool *pool, struct arena *scratch, const bf16 *x, int rows, int width, int *ld)
{
	struct widening w = { x, NULL, *ld, width };

	w.to = ARENA_ARRAY(scratch, real, (size_t)rows * (size_t)width);
	pool_run(pool, rows, widen_row, &w);
	*ld = width;
	return w.to;
}

static bool
reads(const struct backend *b, const struct gemm *g)
{
	return b->caps & (g->a16 && g->trans_a ? BACKEND_TRANSPOSES_BF16 : BACKEND_READS_BF16);
}

/* Replaces factors in bf16, for back ends that do not read them. */
static void
widen_factors(struct pool *pool, struct arena *scratch, struct gemm *g)
{
	if (g->a16)
		g->a = widened(pool, scratch, g->a16, g->trans_a ? g->k : g->m,
			       g->trans_a ? g->m : g->k, &g->lda);
	if (g->b16)
		g->b = widened(pool, scratch, g->b16, g->k, g->n, &g->ldb);
	g->a16 = g->b16 = NULL;
}

static void
multiply(const struct backend *b, struct pool *pool, struct arena *scratch, const struct gemm *g,
	 product_finish *finish, void *arg)
{
	struct gemm h = *g;

	if (!reads(b, g))
		widen_factors(pool, scratch, &h);
	if (must_round(b))
		round_factors(b, pool, scratch, &h);
	if (b->gemm_shared)
		b->gemm_shared(b, &h, pool, scratch, finish, arg);
	else
		by_parts(b, pool, &h, finish, arg);
}

/* The arguments of finish_timed(), which measures the time of finish. */
struct timed {
	product_finish *finish;
	void *arg;
	double (*clock)(void);
	atomic_llong nanoseconds;
};

static void
finish_timed(void *arg, int from, int to)
{
	struct timed *t = arg;
	double start = t->clock();

	t->finish(t->arg, from, to);
	atomic_fetch_add(&t->nanoseconds, (long long)(1e9 * (t->clock() - start)));
}

static void
multiply_timed(const struct backend *b, struct pool *pool, struct arena *scratch,
	       const struct gemm *g, product_finish *finish, void *arg)
{
	struct product_meter *m = b->meter;
	struct timed t = { finish, arg, m->clock, 0 };
	double start = m->clock();

	multiply(b, pool, scratch, g, finish ? finish_timed : NULL, &t);
	m->seconds += m->clock() - start -
		      1e-9 * (double)atomic_load(&t.nanoseconds) / pool_threads(pool);
	m->flops += 2.0 * g->m * g->n * g->k;
}

/* c = beta c, for k = 0. */
static void
only_beta(const struct gemm *g, product_finish *finish, void *arg)
{
	for (int i = 0; i < g->m; i++) {
		real *c = g->c + (ptrdiff_t)i * g->ldc;

		if (g->beta != 0)
			k_axpby((size_t)g->n, 0, c, g->beta, c);
		else
			k_zero((size_t)g->n, c);
	}
	if (finish)
		finish(arg, 0, g->m);
}

void
product(const struct backend *b, struct pool *pool, struct arena *scratch, const struct gemm *g,
	product_finish *finish, void *arg)
{
	if (g->m <= 0 || g->n <= 0)
		return;
	if (g->k <= 0)
		only_beta(g, finish, arg);
	else
		(b->meter ? multiply_timed : multiply)(b, pool, scratch, g, finish, arg);
}

const struct prepared *
product_prepare(const struct backend *b, struct pool *pool, struct arena *mem, const struct gemm *g)
{
	double start = b->meter ? b->meter->clock() : 0;
	const struct prepared *p = NULL;

	if (b->prepare && !must_round(b) && g->n > 0 && g->k > 0 &&
	    (!g->b8 || b->caps & BACKEND_INT8))
		p = b->prepare(b, g, pool, mem);
	if (b->meter)
		b->meter->seconds += b->meter->clock() - start;
	return p;
}
