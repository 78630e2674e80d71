/*
 * backend-native: heed's own matrix products, blocked for the caches (tiles.h).
 *
 * Compared with a library, it packs a weight once for all threads and for all products of a
 * translation; it runs the operation that follows a product while the rows are in the cache; and
 * the order of a sum depends only on k, so that the bits do not depend on the number of threads or
 * on the rest of the batch.
 *
 * C is split into parts.  A part is computed in blocks of k: its rows of this block of a are packed
 * and multiplied with one panel of b after the other, while the next block and the next panel are
 * prefetched into the second-level cache.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/pool.h"
#include "tensor/backend/bf16-products.h"
#include "tensor/backend/native.h"
#include "tensor/cut.h"
#include "tensor/product.h"

enum {
	ROWS    = 16 * TILE_ROWS,	/* maximum per part: a fits the second-level cache */
	COLUMNS = 512,			/* per part of a weight gradient, which packs its own b */
	NARROW  = 128			/* columns per part if there are few rows */
};

/* All of b as packed by native_pack(). */
struct prepared { const real *packed; };

static void
set_precision(struct backend *b, const struct bf16_products *products)
{
#ifdef REAL_DOUBLE
	(void)b;
	(void)products;
#else
	if (b->caps & (BACKEND_INT16 | BACKEND_INT8)) {
		b->gemm_shared = native_int_shared;
		b->prepare = native_int_prepare;
		b->caps |= BACKEND_ROUNDS;
	} else if (products) {
		b->gemm_shared = native_bf16_shared;
		b->prepare = native_bf16_prepare;
		b->adds_whole = BF16_PART;
		b->caps |= BACKEND_ROUNDS | BACKEND_READS_BF16 | BACKEND_TRANSPOSES_BF16 |
			   products->caps;
	}
#endif
}

static int
native_open(struct backend *b, const char *options, struct err *e)
{
	const struct bf16_products *products =
		b->caps & BACKEND_BF16 ? bf16_products_find(options) : NULL;
	const struct tile_kernels *kernels = tile_kernels_find(products ? "" : options);
	struct native *s;

	if (!kernels)
		return err_set(e, EXIT_USAGE, "native: found option '%s', expected v2, v3, v4, "
			       "vnni, avxvnni or dotprod, or for bf16 avx512bf16 or amx, as far as "
			       "the processor supports it", options);
	s = xcalloc(1, sizeof(*s));
	s->kernels = kernels;
	s->bf16 = products ? products->kernel : NULL;
	snprintf(s->version, sizeof(s->version), "native, %s tiles",
		 products ? products->text : kernels->text);
	b->state = s;
	set_precision(b, products);
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

struct native_job {
	const struct gemm *g;
	const struct tile_kernels *kernels;
	const real *packed;		/* all of b, or NULL */
	real *room;			/* per thread: a packed block of a and panel of b */
	size_t share;			/* elements of room per thread */
	int down, across;		/* number of parts of c along its rows and columns */
	product_finish *finish;
	void *arg;
};

/* Rows [from, to) and columns [left, right) of c, elements [d, d + depth) of k. */
struct block { int from, to, left, right, d, depth; };

static struct block
first_block(const struct native_job *j, int piece)
{
	const struct gemm *g = j->g;
	int row = piece / j->across, column = piece % j->across;

	return (struct block){
		.from = part_start(g->m, TILE_ROWS, j->down, row),
		.to = part_start(g->m, TILE_ROWS, j->down, row + 1),
		.left = part_start(g->n, TILE_WIDTH, j->across, column),
		.right = part_start(g->n, TILE_WIDTH, j->across, column + 1),
		.depth = int_min(g->k, TILE_DEPTH),
	};
}

/* The next block, of this part or the next one; its depth is 0 after the last. */
static struct block
next_block(const struct native_job *j, int piece, struct block b)
{
	b.d += b.depth;
	b.depth = int_min(j->g->k - b.d, TILE_DEPTH);
	if (b.depth > 0 || piece + 1 == j->down * j->across)
		return b;
	return first_block(j, piece + 1);
}

static const real *
a_at(const struct gemm *g, int row, int d)
{
	return g->a + (g->trans_a ? (ptrdiff_t)d * g->lda + row : (ptrdiff_t)row * g->lda + d);
}

static const real *
b_at(const struct gemm *g, int d, int column)
{
	return g->b +
	       (g->trans_b ? (ptrdiff_t)column * g->ldb + d : (ptrdiff_t)d * g->ldb + column);
}

/* Offset of a panel in packed b: [depth block][panel][depth][TILE_WIDTH]. */
static ptrdiff_t
packed_at(const struct gemm *g, int d, int depth, int column)
{
	return (ptrdiff_t)d * round_up(g->n, TILE_WIDTH) + (ptrdiff_t)column * depth;
}

/* Rows of width elements. */
static struct prefetch
prefetch_rows(const real *p, ptrdiff_t ld, int rows, int width, int calls)
{
	return prefetch_of(p, ld * (ptrdiff_t)sizeof(*p), rows, width * (int)sizeof(*p), calls);
}

static struct prefetch
prefetch_a(const struct gemm *g, struct block b, int calls)
{
	int rows = b.to - b.from;
	const real *a = a_at(g, b.from, b.d);

	if (b.depth == 0)
		return (struct prefetch){ 0 };
	if (g->trans_a)
		return prefetch_rows(a, g->lda, b.depth, rows, calls);
	return prefetch_rows(a, g->lda, rows, b.depth, calls);
}

static struct prefetch
prefetch_b(const struct native_job *j, struct block b, int column, int calls)
{
	const struct gemm *g = j->g;
	int width = int_min(TILE_WIDTH, b.right - column), size = b.depth * TILE_WIDTH;

	if (b.depth == 0)
		return (struct prefetch){ 0 };
	if (j->packed)
		return prefetch_rows(j->packed + packed_at(g, b.d, b.depth, column), 0, 1, size,
				     calls);
	if (g->trans_b)
		return prefetch_rows(b_at(g, b.d, column), g->ldb, width, b.depth, calls);
	return prefetch_rows(b_at(g, b.d, column), g->ldb, b.depth, width, calls);
}

static const real *
panel_of(const struct native_job *j, const struct block *b, int column, real *room)
{
	const struct gemm *g = j->g;
	int width = int_min(TILE_WIDTH, b->right - column);

	if (j->packed)
		return j->packed + packed_at(g, b->d, b->depth, column);
	j->kernels->pack_b(b->depth, width, b_at(g, b->d, column), g->ldb, g->trans_b, room);
	return room;
}

static void
native_multiply(const struct native_job *j, const struct block *b, const struct block *next,
		real *room)
{
	const struct gemm *g = j->g;
	int rows = b->to - b->from, groups = div_up(rows, TILE_ROWS);
	int panels = div_up(b->right - b->left, TILE_WIDTH);
	int calls = groups * div_up(b->depth, TILE_STEP);
	real *b_room = room + (size_t)groups * (TILE_ROWS * TILE_ROOM);
	struct prefetch prefetch[2] = { prefetch_a(g, *next, calls * panels) };
	struct tiles t = {
		.rows = rows, .depth = b->depth, .trans_a = g->trans_a, .a = room, .ldc = g->ldc,
		.alpha = g->alpha, .beta = b->d == 0 ? g->beta : 1, .prefetch = prefetch,
	};

	j->kernels->pack_a(rows, b->depth, a_at(g, b->from, b->d), g->lda, g->trans_a, room);
	for (int column = b->left; column < b->right; column += TILE_WIDTH) {
		int then = column + TILE_WIDTH;

		t.width = int_min(TILE_WIDTH, b->right - column);
		t.b = panel_of(j, b, column, b_room);
		t.c = g->c + (ptrdiff_t)b->from * g->ldc + column;
		prefetch[1] = then < b->right ? prefetch_b(j, *b, then, calls)
					      : prefetch_b(j, *next, next->left, calls);
		j->kernels->multiply(&t);
	}
}

static void
do_piece(void *arg, int piece, int thread)
{
	const struct native_job *j = arg;
	struct block b = first_block(j, piece), next = b;

	do {
		b = next;
		next = next_block(j, piece, b);
		native_multiply(j, &b, &next, j->room + (size_t)thread * j->share);
	} while (b.d + b.depth < j->g->k);
	if (j->finish && j->across == 1)
		j->finish(j->arg, b.from, b.to);
}

struct pack { const struct tile_kernels *kernels; const struct gemm *g; real *to; };

/* Packs one panel of one depth block. */
static void
pack_piece(void *arg, int piece, int thread)
{
	const struct pack *p = arg;
	const struct gemm *g = p->g;
	int panels = div_up(g->n, TILE_WIDTH), column = piece % panels * TILE_WIDTH;
	int d = piece / panels * TILE_DEPTH, depth = int_min(g->k - d, TILE_DEPTH);
	int width = int_min(g->n - column, TILE_WIDTH);

	(void)thread;
	p->kernels->pack_b(depth, width, b_at(g, d, column), g->ldb, g->trans_b,
			   p->to + packed_at(g, d, depth, column));
}

static const real *
native_pack(const struct tile_kernels *kernels, const struct gemm *g, struct pool *pool,
	    struct arena *mem)
{
	struct pack p = { kernels, g, ARENA_ARRAY(mem, real, packed_at(g, g->k, 0, 0)) };

	pool_run(pool, div_up(g->k, TILE_DEPTH) * div_up(g->n, TILE_WIDTH), pack_piece, &p);
	return p.to;
}

static void
do_pieces(struct native_job *j, struct pool *pool, struct arena *scratch)
{
	int groups = div_up(div_up(j->g->m, TILE_ROWS), j->down);

	j->share = (size_t)groups * (TILE_ROWS * TILE_ROOM) + TILE_DEPTH * TILE_WIDTH;
	j->room = ARENA_ARRAY(scratch, real, j->share * (size_t)pool_threads(pool));
	pool_run(pool, j->down * j->across, do_piece, j);
	if (j->finish && j->across > 1)
		product_finish_all(pool, j->g->m, j->finish, j->arg);
}

/*
 * Splits c into parts, and packs b unless each part packs its own columns.  With few rows, or in a
 * weight gradient, parts share little of b.
 */
static void
native_plan(struct native_job *j, struct pool *pool, struct arena *scratch)
{
	const struct gemm *g = j->g;
	bool few = g->m <= ROWS;

	j->down = few ? 1 : div_up(g->m, 4 * ROWS) * 4;
	j->across = few ? div_up(g->n, NARROW) : g->trans_a ? div_up(g->n, COLUMNS) : 1;
	if (!few && !g->trans_a && !j->packed)
		j->packed = native_pack(j->kernels, g, pool, scratch);
}

static void
native_shared(const struct backend *b, const struct gemm *g, struct pool *pool,
	      struct arena *scratch, product_finish *finish, void *arg)
{
	const struct native *s = b->state;
	struct native_job j = {
		.g = g, .kernels = s->kernels, .finish = finish, .arg = arg,
		.packed = g->prepared ? g->prepared->packed : NULL,
	};

	native_plan(&j, pool, scratch);
	do_pieces(&j, pool, scratch);
}

static const struct prepared *
native_prepare(const struct backend *b, const struct gemm *g, struct pool *pool, struct arena *mem)
{
	const struct native *s = b->state;
	struct prepared *p = ARENA_ARRAY(mem, struct prepared, 1);

	p->packed = native_pack(s->kernels, g, pool, mem);
	return p;
}

const struct backend backend_native = {
	.name = "native",
	.caps = BACKEND_THREAD_SAFE,
	.open = native_open,
	.close = native_close,
	.version = native_version,
	.gemm = product_alone,
	.gemm_shared = native_shared,
	.prepare = native_prepare,
};
