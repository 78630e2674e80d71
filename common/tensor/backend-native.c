/*
 * backend-native: our own matrix products, blocked for the caches (tiles.h).
 *
 * What a library cannot do for us: a weight is laid out once and shared by all threads, or by all
 * products of a translation; what follows a product is done while its rows are in the cache; and
 * a number's sum has the same order whatever the shape around it, so that the bits depend
 * neither on the number of threads nor on what else is in a batch.
 *
 * C is cut into pieces.  A piece goes through k block by block: its rows of that part of a are
 * laid out, then multiplied with one panel of b after the other, while the next block and
 * the next panel are on their way into the second cache.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "tensor/cut.h"
#include "tensor/native.h"

enum {
	ROWS    = 16 * TILE_ROWS,	/* of c in a piece, at most: a's share of the second cache */
	COLUMNS = 512,			/* of c in a piece of a weight gradient, which packs its own b */
	NARROW  = 128			/* the same where there are few rows */
};

/* All of b, as pack() lays it out. */
struct prepared { const real *packed; };

static int
native_open(struct backend *b, const char *options, struct err *e)
{
	const struct tile_kernels *kernels = tile_kernels_find(options);
	struct native *s;

	if (!kernels)
		return err_set(e, EXIT_USAGE, "native has kernels for x86-64 v2, v3, v4 and vnni where the "
			       "processor is one; got '%s'", options);
	s = xcalloc(1, sizeof(*s));
	s->kernels = kernels;
	snprintf(s->version, sizeof(s->version), "native, %s tiles", kernels->text);
	b->state = s;
#ifndef REAL_DOUBLE
	if (b->caps & BACKEND_INT16) {
		b->gemm_shared = native_int16_shared;
		b->prepare = native_int16_prepare;
		b->caps |= BACKEND_ROUNDS;
	}
#endif
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
	const struct native *s = b->state;

	return s->version;
}

struct job {
	const struct gemm *g;
	const struct tile_kernels *kernels;
	const real *packed;		/* all of b, or NULL */
	real *room;			/* each thread's share: a block of a, and a panel of b */
	size_t share;
	int down, across;		/* so many pieces of c */
	void (*finish)(void *arg, int from, int to);
	void *arg;
};

/* Rows [from, to) and columns [left, right) of c, depth [d, d + depth). */
struct block { int from, to, left, right, d, depth; };

static struct block
first_block(const struct job *j, int piece)
{
	const struct gemm *g = j->g;
	int row = piece / j->across, column = piece % j->across;

	return (struct block){
		.from = cut(g->m, TILE_ROWS, j->down, row),
		.to = cut(g->m, TILE_ROWS, j->down, row + 1),
		.left = cut(g->n, TILE_WIDTH, j->across, column),
		.right = cut(g->n, TILE_WIDTH, j->across, column + 1),
		.depth = least(g->k, TILE_DEPTH),
	};
}

/* The block after this one, in this piece or in the next; one of depth 0 after the last. */
static struct block
next_block(const struct job *j, int piece, struct block b)
{
	b.d += b.depth;
	b.depth = least(j->g->k - b.d, TILE_DEPTH);
	if (b.depth > 0 || piece + 1 == j->down * j->across)
		return b;
	return first_block(j, piece + 1);
}

static struct ahead
look_at(const real *p, ptrdiff_t ld, int rows, int width, int calls)
{
	int lines = pieces(width * (int)sizeof(*p), 64);

	return (struct ahead){
		.row = (const char *)p, .stride = ld * (ptrdiff_t)sizeof(*p),
		.rows = rows, .lines = lines, .share = pieces(rows * lines, calls),
	};
}

static const real *
a_at(const struct gemm *g, int row, int d)
{
	return g->a + (g->trans_a ? (ptrdiff_t)d * g->lda + row : (ptrdiff_t)row * g->lda + d);
}

static const real *
b_at(const struct gemm *g, int d, int column)
{
	return g->b + (g->trans_b ? (ptrdiff_t)column * g->ldb + d : (ptrdiff_t)d * g->ldb + column);
}

/* All of b in panels: [depth block][panel][depth][TILE_WIDTH]. */
static ptrdiff_t
packed_at(const struct gemm *g, int d, int depth, int column)
{
	return (ptrdiff_t)d * pieces(g->n, TILE_WIDTH) * TILE_WIDTH + (ptrdiff_t)column * depth;
}

static struct ahead
a_ahead(const struct gemm *g, struct block b, int calls)
{
	int rows = b.to - b.from;
	const real *a = a_at(g, b.from, b.d);

	if (b.depth == 0)
		return (struct ahead){ 0 };
	if (g->trans_a)
		return look_at(a, g->lda, b.depth, rows, calls);
	return look_at(a, g->lda, rows, b.depth, calls);
}

static struct ahead
b_ahead(const struct job *j, struct block b, int column, int calls)
{
	const struct gemm *g = j->g;
	int width = least(TILE_WIDTH, b.right - column), size = b.depth * TILE_WIDTH;

	if (b.depth == 0)
		return (struct ahead){ 0 };
	if (j->packed)
		return look_at(j->packed + packed_at(g, b.d, b.depth, column), 0, 1, size, calls);
	if (g->trans_b)
		return look_at(b_at(g, b.d, column), g->ldb, width, b.depth, calls);
	return look_at(b_at(g, b.d, column), g->ldb, b.depth, width, calls);
}

static const real *
panel_of(const struct job *j, const struct block *b, int column, real *room)
{
	const struct gemm *g = j->g;
	int width = least(TILE_WIDTH, b->right - column);

	if (j->packed)
		return j->packed + packed_at(g, b->d, b->depth, column);
	j->kernels->pack_b(b->depth, width, b_at(g, b->d, column), g->ldb, g->trans_b, room);
	return room;
}

static void
multiply(const struct job *j, const struct block *b, const struct block *next, real *room)
{
	const struct gemm *g = j->g;
	int rows = b->to - b->from, groups = pieces(rows, TILE_ROWS);
	int panels = pieces(b->right - b->left, TILE_WIDTH);
	int calls = groups * pieces(b->depth, TILE_STEP);
	real *b_room = room + (size_t)groups * (TILE_ROWS * TILE_ROOM);
	struct ahead ahead[2] = { a_ahead(g, *next, calls * panels) };
	struct tiles t = {
		.rows = rows, .depth = b->depth, .trans_a = g->trans_a, .a = room, .ldc = g->ldc,
		.alpha = g->alpha, .beta = b->d == 0 ? g->beta : 1, .ahead = ahead,
	};

	j->kernels->pack_a(rows, b->depth, a_at(g, b->from, b->d), g->lda, g->trans_a, room);
	for (int column = b->left; column < b->right; column += TILE_WIDTH) {
		int then = column + TILE_WIDTH;

		t.width = least(TILE_WIDTH, b->right - column);
		t.b = panel_of(j, b, column, b_room);
		t.c = g->c + (ptrdiff_t)b->from * g->ldc + column;
		ahead[1] = then < b->right ? b_ahead(j, *b, then, calls) : b_ahead(j, *next, next->left, calls);
		j->kernels->multiply(&t);
	}
}

static void
do_piece(void *arg, int piece, int thread)
{
	const struct job *j = arg;
	struct block b = first_block(j, piece), next = b;

	do {
		b = next;
		next = next_block(j, piece, b);
		multiply(j, &b, &next, j->room + (size_t)thread * j->share);
	} while (b.d + b.depth < j->g->k);
	if (j->finish && j->across == 1)
		j->finish(j->arg, b.from, b.to);
}

struct pack { const struct tile_kernels *kernels; const struct gemm *g; real *to; };

/* A piece is one panel of one depth block. */
static void
pack_piece(void *arg, int piece, int thread)
{
	const struct pack *p = arg;
	const struct gemm *g = p->g;
	int panels = pieces(g->n, TILE_WIDTH), column = piece % panels * TILE_WIDTH;
	int d = piece / panels * TILE_DEPTH, depth = least(g->k - d, TILE_DEPTH);
	int width = least(g->n - column, TILE_WIDTH);

	(void)thread;
	p->kernels->pack_b(depth, width, b_at(g, d, column), g->ldb, g->trans_b,
			   p->to + packed_at(g, d, depth, column));
}

static const real *
pack(const struct tile_kernels *kernels, const struct gemm *g, struct pool *pool, struct arena *mem)
{
	struct pack p = { kernels, g, ARENA_ARRAY(mem, real, packed_at(g, g->k, 0, 0)) };

	pool_run(pool, pieces(g->k, TILE_DEPTH) * pieces(g->n, TILE_WIDTH), pack_piece, &p);
	return p.to;
}

enum { FINISH = 16 };

static void
finish_piece(void *arg, int piece, int thread)
{
	const struct job *j = arg;

	(void)thread;
	j->finish(j->arg, piece * FINISH, least((piece + 1) * FINISH, j->g->m));
}

static void
do_pieces(struct job *j, struct pool *pool, struct arena *scratch)
{
	int groups = pieces(pieces(j->g->m, TILE_ROWS), j->down);

	j->share = (size_t)groups * (TILE_ROWS * TILE_ROOM) + TILE_DEPTH * TILE_WIDTH;
	j->room = ARENA_ARRAY(scratch, real, j->share * (size_t)pool_threads(pool));
	pool_run(pool, j->down * j->across, do_piece, j);
	if (j->finish && j->across > 1)
		pool_run(pool, pieces(j->g->m, FINISH), finish_piece, j);
}

/* Nothing to sum. */
static void
only_beta(const struct gemm *g)
{
	real *c = g->c;

	for (int i = 0; i < g->m; i++, c += g->ldc)
		for (int j = 0; j < g->n; j++)
			c[j] = g->beta != 0 ? g->beta * c[j] : 0;
}

/* How c is cut; b is laid out by the pieces only where none lays out much that another does too. */
static void
plan(struct job *j, struct pool *pool, struct arena *scratch)
{
	const struct gemm *g = j->g;
	bool few = g->m <= ROWS;

	j->down = few ? 1 : pieces(g->m, 4 * ROWS) * 4;
	j->across = few ? pieces(g->n, NARROW) : g->trans_a ? pieces(g->n, COLUMNS) : 1;
	if (!few && !g->trans_a && !j->packed)
		j->packed = pack(j->kernels, g, pool, scratch);
}

static void
native_shared(const struct backend *b, const struct gemm *g, struct pool *pool,
	      struct arena *scratch, void (*finish)(void *arg, int from, int to), void *arg)
{
	const struct native *s = b->state;
	struct job j = {
		.g = g, .kernels = s->kernels, .finish = finish, .arg = arg,
		.packed = g->prepared ? g->prepared->packed : NULL,
	};

	if (g->k == 0) {
		only_beta(g);
		if (finish)
			finish(arg, 0, g->m);
		return;
	}
	plan(&j, pool, scratch);
	do_pieces(&j, pool, scratch);
}

static const struct prepared *
native_prepare(const struct backend *b, const struct gemm *g, struct pool *pool, struct arena *mem)
{
	const struct native *s = b->state;
	struct prepared *p = ARENA_ARRAY(mem, struct prepared, 1);

	p->packed = pack(s->kernels, g, pool, mem);
	return p;
}

static void
native_gemm(const struct backend *b, const struct gemm *g)
{
	struct arena scratch;

	arena_init(&scratch, 0);
	b->gemm_shared(b, g, NULL, &scratch, NULL, NULL);
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
