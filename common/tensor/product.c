/* product: cuts a product into pieces for the pool; see product.h. */
#include "tensor/product.h"

#include <stdatomic.h>

/*
 * Every call of a library lays its second factor out anew, so pieces are large; and their
 * edges are multiples of every register block, where libraries change their kernels.
 */
enum { ROWS = 512, COLUMNS = 256, FEW_ROWS = 1024 };

struct job {
	const struct backend *backend;
	const struct gemm *g;
	int step;
	product_finish *finish;
	void *arg;
};

static int
cut_end(int from, int step, int n)
{
	return from + step < n ? from + step : n;
}

static void
do_rows(void *arg, int piece, int thread)
{
	const struct job *j = arg;
	struct gemm g = *j->g;
	int from = piece * j->step, to = cut_end(from, j->step, g.m);

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
	const struct job *j = arg;
	struct gemm g = *j->g;
	int from = piece * j->step, to = cut_end(from, j->step, g.n);

	(void)thread;
	g.b += g.trans_b ? (ptrdiff_t)from * g.ldb : from;
	g.c += from;
	g.n = to - from;
	j->backend->gemm(j->backend, &g);
}

static void
do_finish(void *arg, int piece, int thread)
{
	const struct job *j = arg;
	int from = piece * j->step;

	(void)thread;
	j->finish(j->arg, from, cut_end(from, j->step, j->g->m));
}

/* A back end that is not safe to call from several threads does everything on one. */
static void
run(struct pool *pool, struct job *j, int n, int step, pool_work *work)
{
	j->step = step;
	pool_run(j->backend->caps & BACKEND_THREAD_SAFE ? pool : NULL, (n + step - 1) / step, work, j);
}

static void
multiply(const struct backend *b, struct pool *pool, struct arena *scratch, const struct gemm *g,
	 product_finish *finish, void *arg)
{
	struct job j = { b, g, 0, finish, arg };

	if (b->gemm_shared) {
		b->gemm_shared(b, g, pool, scratch, finish, arg);
		return;
	}
	if (g->m >= FEW_ROWS || g->n <= COLUMNS) {
		run(pool, &j, g->m, g->m >= FEW_ROWS ? ROWS : ROWS / 4, do_rows);
		return;
	}
	run(pool, &j, g->n, COLUMNS, do_columns);
	if (finish) {
		j.step = 16;
		pool_run(pool, (g->m + j.step - 1) / j.step, do_finish, &j);
	}
}

/* What follows a product, with a clock beside it. */
struct timed { product_finish *finish; void *arg; double (*clock)(void); atomic_llong nanoseconds; };

static void
finish_timed(void *arg, int from, int to)
{
	struct timed *t = arg;
	double start = t->clock();

	t->finish(t->arg, from, to);
	atomic_fetch_add(&t->nanoseconds, (long long)(1e9 * (t->clock() - start)));
}

static void
multiply_timed(const struct backend *b, struct pool *pool, struct arena *scratch, const struct gemm *g,
	       product_finish *finish, void *arg)
{
	struct product_meter *m = b->meter;
	struct timed t = { finish, arg, m->clock, 0 };
	double start = m->clock();

	multiply(b, pool, scratch, g, finish ? finish_timed : NULL, &t);
	m->seconds += m->clock() - start - 1e-9 * (double)atomic_load(&t.nanoseconds) / pool_threads(pool);
	m->flops += 2.0 * g->m * g->n * g->k;
}

void
product(const struct backend *b, struct pool *pool, struct arena *scratch, const struct gemm *g,
	product_finish *finish, void *arg)
{
	if (g->m > 0 && g->n > 0)
		(b->meter ? multiply_timed : multiply)(b, pool, scratch, g, finish, arg);
}

const struct prepared *
product_prepare(const struct backend *b, struct pool *pool, struct arena *mem, const struct gemm *g)
{
	double start = b->meter ? b->meter->clock() : 0;
	const struct prepared *p = b->prepare && g->n > 0 && g->k > 0 ? b->prepare(b, g, pool, mem) : NULL;

	if (b->meter)
		b->meter->seconds += b->meter->clock() - start;
	return p;
}
