/*
 * backend-native: our own matrix products, blocked for the caches (tiles.h).
 *
 * What a library cannot do for us: the second factor is laid out once and shared by all threads,
 * what follows a product is done while its rows are in the cache, and a number's sum has
 * the same order whatever the shape around it, so that the bits depend neither on the
 * number of threads nor on what else is in a batch.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "tensor/backend.h"
#include "tensor/tiles.h"

enum {
	BLOCK    = (1 << 20) / sizeof(real),	/* numbers of b that stay in the second cache */
	ROWS     = 192,			/* a piece of work */
	FEW_ROWS = 384,			/* fewer: columns are cut, and each piece lays out its own */
	COLUMNS  = 128
};

struct state { tiles_function *tiles; char version[64]; };

/* All of b, as by_rows() lays it out. */
struct prepared { const real *packed; };

static int
native_open(struct backend *b, const char *options, struct err *e)
{
	struct state *s;
	const char *name;

	if (options && *options)
		return err_set(e, EXIT_USAGE, "native takes no options, got '%s'", options);
	s = xcalloc(1, sizeof(*s));
	s->tiles = tiles_choose(&name);
	snprintf(s->version, sizeof(s->version), "native, %s tiles", name);
	b->state = s;
	return 0;
}

static void
native_close(struct backend *b)
{
	free(b->state);
	b->state = NULL;
}

static const char *
native_version(const struct backend *b)
{
	const struct state *s = b->state;

	return s->version;
}

struct job {
	const struct gemm *g;
	tiles_function *tiles;
	ptrdiff_t b_depth, b_column;
	real *room;			/* where b is laid out */
	size_t share;			/* of a thread, where each lays out its own */
	const real *packed;		/* [depth block][panel][depth][TILE_WIDTH] */
	int depth_from, depth_to;	/* the part of k that is done now */
	void (*finish)(void *arg, int from, int to);
	void *arg;
};

static int
padded(int n)
{
	return (n + TILE_WIDTH - 1) / TILE_WIDTH * TILE_WIDTH;
}

static int
least(int a, int b)
{
	return a < b ? a : b;
}

static struct job
job_of(const struct backend *b, const struct gemm *g)
{
	const struct state *s = b->state;

	return (struct job){
		.g = g, .tiles = s->tiles, .depth_to = g->k,
		.b_depth = g->trans_b ? 1 : g->ldb, .b_column = g->trans_b ? g->ldb : 1,
	};
}

/* Rows [from, to) times columns [left, left + width) of b, of which depth rows from d on lie packed at `b`. */
static void
multiply(const struct job *j, int from, int to, int left, int width, int d, int depth, const real *b)
{
	const struct gemm *g = j->g;
	struct tiles t = {
		.rows = to - from, .width = width, .depth = depth, .b = b,
		.a_row = g->trans_a ? 1 : g->lda, .a_depth = g->trans_a ? g->lda : 1,
		.c = g->c + (ptrdiff_t)from * g->ldc + left, .ldc = g->ldc,
		.alpha = g->alpha, .beta = d == 0 ? g->beta : 1,
	};

	t.a = g->a + from * t.a_row + d * t.a_depth;
	j->tiles(&t);
}

/* Blocks of b one after the other, each for all the rows. */
static void
rows_piece(void *arg, int piece, int thread)
{
	const struct job *j = arg;
	const struct gemm *g = j->g;
	int from = piece * ROWS, to = least(from + ROWS, g->m), pad = padded(g->n);

	(void)thread;
	for (int left = 0, step = padded(BLOCK / least(g->k, TILE_DEPTH)); left < g->n; left += step) {
		for (int d = j->depth_from; d < j->depth_to; d += TILE_DEPTH) {
			int depth = least(j->depth_to - d, TILE_DEPTH);
			const real *b = j->packed + (ptrdiff_t)(d - j->depth_from) * pad + (ptrdiff_t)left * depth;

			multiply(j, from, to, left, least(step, g->n - left), d, depth, b);
		}
	}
	if (j->finish && j->depth_to == g->k)
		j->finish(j->arg, from, to);
}

/* A piece is one panel of one depth block. */
static void
pack_piece(void *arg, int piece, int thread)
{
	const struct job *j = arg;
	const struct gemm *g = j->g;
	int pad = padded(g->n), n_panels = pad / TILE_WIDTH, left = piece % n_panels * TILE_WIDTH;
	int at = piece / n_panels * TILE_DEPTH, d = j->depth_from + at, depth = least(j->depth_to - d, TILE_DEPTH);

	(void)thread;
	tiles_pack(depth, least(g->n - left, TILE_WIDTH), g->b + d * j->b_depth + left * j->b_column, j->b_depth,
		   j->b_column, j->room + (ptrdiff_t)at * pad + (ptrdiff_t)left * depth);
}

static void
pack(struct job *j, struct pool *pool)
{
	int blocks = (j->depth_to - j->depth_from + TILE_DEPTH - 1) / TILE_DEPTH;

	pool_run(pool, blocks * (padded(j->g->n) / TILE_WIDTH), pack_piece, j);
	j->packed = j->room;
}

static void
share_rows(struct job *j, struct pool *pool)
{
	pool_run(pool, (j->g->m + ROWS - 1) / ROWS, rows_piece, j);
}

static void
pack_all(struct job *j, struct pool *pool, struct arena *mem)
{
	j->room = ARENA_ARRAY(mem, real, (size_t)padded(j->g->n) * (size_t)j->g->k);
	pack(j, pool);
}

/* A weight gradient: k is the rows of a batch, b large; it is laid out part by part. */
static void
by_depth(struct job *j, struct pool *pool, struct arena *scratch)
{
	j->room = ARENA_ARRAY(scratch, real, (size_t)padded(j->g->n) * TILE_DEPTH);
	for (int d = 0; d < j->g->k; d += TILE_DEPTH) {
		j->depth_from = d;
		j->depth_to = least(d + TILE_DEPTH, j->g->k);
		pack(j, pool);
		share_rows(j, pool);
	}
}

static void
columns_piece(void *arg, int piece, int thread)
{
	const struct job *j = arg;
	const struct gemm *g = j->g;
	int left = piece * COLUMNS, width = least(COLUMNS, g->n - left), pad = padded(g->n);
	real *room = j->room + (size_t)thread * j->share;

	for (int d = 0; d < g->k; d += TILE_DEPTH) {
		int depth = least(g->k - d, TILE_DEPTH);
		const real *b = j->packed ? j->packed + (ptrdiff_t)d * pad + (ptrdiff_t)left * depth : room;

		if (!j->packed)
			tiles_pack(depth, width, g->b + d * j->b_depth + left * j->b_column, j->b_depth, j->b_column, room);
		multiply(j, 0, g->m, left, width, d, depth, b);
	}
}

enum { FINISH = 16 };

static void
finish_piece(void *arg, int piece, int thread)
{
	const struct job *j = arg;

	(void)thread;
	j->finish(j->arg, piece * FINISH, least((piece + 1) * FINISH, j->g->m));
}

/* Few rows: columns are shared; each thread lays out what it needs, and nobody waits for anybody. */
static void
by_columns(struct job *j, struct pool *pool, struct arena *scratch)
{
	if (!j->packed) {
		j->share = (size_t)TILE_DEPTH * COLUMNS;
		j->room = ARENA_ARRAY(scratch, real, j->share * (size_t)pool_threads(pool));
	}
	pool_run(pool, (j->g->n + COLUMNS - 1) / COLUMNS, columns_piece, j);
	if (j->finish)
		pool_run(pool, (j->g->m + FINISH - 1) / FINISH, finish_piece, j);
}

/* Nothing to sum. */
static void
only_beta(const struct gemm *g)
{
	for (int i = 0; i < g->m; i++)
		for (int j = 0; j < g->n; j++)
			g->c[(ptrdiff_t)i * g->ldc + j] = g->beta != 0 ? g->beta * g->c[(ptrdiff_t)i * g->ldc + j] : 0;
}

static void
native_shared(const struct backend *b, const struct gemm *g, struct pool *pool, struct arena *scratch,
	      void (*finish)(void *arg, int from, int to), void *arg)
{
	struct job j = job_of(b, g);

	j.packed = g->prepared ? g->prepared->packed : NULL;
	j.finish = finish;
	j.arg = arg;
	if (g->k == 0) {
		only_beta(g);
		if (finish)
			finish(arg, 0, g->m);
	} else if (g->trans_a && !j.packed) {
		by_depth(&j, pool, scratch);
	} else if (g->m < FEW_ROWS) {
		by_columns(&j, pool, scratch);
	} else {
		if (!j.packed)
			pack_all(&j, pool, scratch);
		share_rows(&j, pool);
	}
}

static const struct prepared *
native_prepare(const struct backend *b, const struct gemm *g, struct pool *pool, struct arena *mem)
{
	struct prepared *p = ARENA_ARRAY(mem, struct prepared, 1);
	struct job j = job_of(b, g);

	pack_all(&j, pool, mem);
	p->packed = j.packed;
	return p;
}

static void
native_gemm(const struct backend *b, const struct gemm *g)
{
	struct arena scratch;

	arena_init(&scratch, 0);
	native_shared(b, g, NULL, &scratch, NULL, NULL);
	arena_release(&scratch);
}

const struct backend backend_native = {
	.name = "native",
	.caps = BACKEND_THREAD_SAFE,
	.open = native_open,
	.close = native_close,
	.version = native_version,
	.gemm = native_gemm,
	.gemm_shared = native_shared,
	.prepare = native_prepare,
};
