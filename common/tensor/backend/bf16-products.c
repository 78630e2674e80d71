/*
 * bf16-products: see bf16-products.h.
 *
 * C is split into parts by its shape.  b is packed into panels once for all of them.  A part packs
 * its rows of a, which stay in the second-level cache while a panel of b after the other is
 * multiplied.  Rows of op(A) = A are only rounded; those of A' keep the order of memory, in pairs
 * of k, so that nothing is transposed.
 */
#ifndef REAL_DOUBLE
#include "tensor/backend/bf16-products.h"

#include <string.h>

#include "tensor/bf16-tiles.h"
#include "tensor/cut.h"
#include "tensor/kernels.h"

enum {
	ROWS       = 96,	/* of a part; fewer if its a and c would not fit the cache */
	ROWS_BACK  = 64,	/* in a weight gradient: whole cache lines of a */
	FEW_ROWS   = 192,	/* up to this number, columns are split, too */
	CACHE      = 1 << 19,	/* bytes for rows of a and c */
	NARROW     = 4 * BF16_WIDTH,
	WIDE       = 16 * BF16_WIDTH,	/* columns of a part of a weight gradient */
	VECTOR     = 16		/* pairs */
};

/* b: panels of [pairs][BF16_WIDTH] */
struct prepared { const uint32_t *panels; };

/* A product, or the current part of its depth. */
struct bf16_job {
	const struct gemm *g;
	int from, depth;		/* the current part of k */
	int pairs, block;		/* in k, and in a block of k */
	int rows, columns;		/* of a part of c */
	real beta;			/* of this part of k */
	uint32_t *packed;		/* where b is packed */
	const uint32_t *panels;
	uint32_t *room;			/* per thread: packed rows of a, then sums */
	size_t share, sums;		/* elements of room per thread; offset of the sums */
	product_finish *finish;
	void *arg;
};

/* Sets the part of k.  Padding is cut to one pair, because further zeros do not change a sum. */
static void
set_depth(struct bf16_job *j, int from)
{
	const struct gemm *g = j->g;
	int padded;

	j->from = from;
	j->depth = g->trans_a ? int_min(BF16_PART, g->k - from) : g->k;
	padded = g->trans_a && j->depth < BF16_PART ? div_up(j->depth, BF16_PAD) * BF16_PAD
						    : j->depth;
	j->pairs = div_up(j->depth, 2) + (padded > div_up(j->depth, 2) * 2);
	j->block = padded > 2 * BF16_DEPTH ? BF16_DEPTH : BF16_DEPTH / 2;
	j->beta = from ? 1 : g->beta;
}

static size_t
panel_size(const struct bf16_job *j)
{
	return (size_t)j->pairs * BF16_WIDTH;
}

static void
pack_panel(void *arg, int piece, int thread)
{
	const struct bf16_job *j = arg;
	const struct gemm *g = j->g;
	const int left = piece * BF16_WIDTH, done = div_up(j->depth, 2);
	const ptrdiff_t row = g->trans_b ? 1 : g->ldb, column = g->trans_b ? g->ldb : 1;
	uint32_t *to = j->packed + (size_t)piece * panel_size(j);

	(void)thread;
	k_pairs_bf16(j->depth, int_min(BF16_WIDTH, g->n - left),
		     g->b + j->from * row + left * column, row, column, (bf16 *)(void *)to,
		     BF16_WIDTH);
	memset(to + done * BF16_WIDTH, 0,
	       (size_t)(j->pairs - done) * BF16_WIDTH * sizeof(*to));
}

static void
pack_b(struct bf16_job *j, struct pool *pool, struct arena *mem)
{
	const int panels = div_up(j->g->n, BF16_WIDTH);

	j->packed = ARENA_ARRAY(mem, uint32_t, (size_t)panels * panel_size(j));
	j->panels = j->packed;
	pool_run(pool, panels, pack_panel, j);
}

/* Packs rows of A' as [pairs][step]. */
static void
pack_pairs(const struct bf16_job *j, int from, int rows, int step, uint32_t *to)
{
	const struct gemm *g = j->g;
	const int done = div_up(j->depth, 2);

	k_pairs_bf16(j->depth, rows, g->a + (ptrdiff_t)j->from * g->lda + from, g->lda, 1,
		     (bf16 *)(void *)to, step);
	memset(to + (ptrdiff_t)done * step, 0,
	       (size_t)(j->pairs - done) * (size_t)step * sizeof(*to));
}

/* Packs rows of A as [block][rows][BF16_ROOM]. */
static void
pack_rows(const struct bf16_job *j, int from, int rows, uint32_t *to)
{
	const struct gemm *g = j->g;

	for (int d = 0; d < g->k; d += 2 * j->block) {
		const int depth = int_min(2 * j->block, g->k - d);
		const real *a = g->a + (ptrdiff_t)from * g->lda + d;

		for (int r = 0; r < rows; r++, a += g->lda, to += BF16_ROOM) {
			if (depth % 2)
				to[depth / 2] = 0;
			k_to_bf16((size_t)depth, a, (bf16 *)(void *)to);
		}
	}
}

/* c = alpha sums + beta c */
static void
store(const struct bf16_job *j, const struct bf16_tiles *t, const float *sums, float *c)
{
	for (int r = 0; r < t->rows; r++, sums += BF16_WIDTH, c += j->g->ldc)
		k_axpby((size_t)t->width, j->g->alpha, sums, j->beta, c);
}

/*
 * Multiplies packed rows with a panel, one block after the other.  sums has the sums of blocks
 * before the last one, and of all if the tiles cannot write or add to c.
 */
static void
multiply(const struct bf16_job *j, struct bf16_tiles t, float *c, float *sums)
{
	const ptrdiff_t a_block = t.by_pairs ? j->block * t.a_step : t.rows * BF16_ROOM;
	const bool direct = j->g->alpha == 1 && (j->beta == 0 || j->beta == 1);

	for (int done = 0; done < j->pairs; done += j->block) {
		const bool last = done + j->block >= j->pairs;

		t.pairs = int_min(j->block, j->pairs - done);
		t.c = last && direct ? c : sums;
		t.ldc = last && direct ? j->g->ldc : BF16_WIDTH;
		t.add = last && direct && j->beta != 0;
		bf16_tiles(&t);
		t.a += a_block;
		t.b += (ptrdiff_t)j->block * BF16_WIDTH;
		t.before = sums;
	}
	if (!direct)
		store(j, &t, sums, c);
}

static void
one_part(void *arg, int piece, int thread)
{
	const struct bf16_job *j = arg;
	const struct gemm *g = j->g;
	const int across = div_up(g->n, j->columns), from = piece / across * j->rows;
	const int left = piece % across * j->columns, right = int_min(left + j->columns, g->n);
	uint32_t *room = j->room + (size_t)thread * j->share;
	struct bf16_tiles t = {
		.rows = int_min(j->rows, g->m - from), .by_pairs = g->trans_a, .a = room,
		.a_step = div_up(j->rows, VECTOR) * VECTOR,
	};

	if (g->trans_a)
		pack_pairs(j, from, t.rows, (int)t.a_step, room);
	else
		pack_rows(j, from, t.rows, room);
	for (int n = left; n < right; n += BF16_WIDTH) {
		t.width = int_min(BF16_WIDTH, right - n);
		t.b = j->panels + (size_t)(n / BF16_WIDTH) * panel_size(j);
		multiply(j, t, g->c + (ptrdiff_t)from * g->ldc + n, (float *)room + j->sums);
	}
	if (j->finish && across == 1)
		j->finish(j->arg, from, from + t.rows);
}

/* Splits c by the shape of the product. */
static void
plan(struct bf16_job *j)
{
	const struct gemm *g = j->g;
	const bool few = g->m <= FEW_ROWS;
	const int bytes = 4 * g->n + 2 * g->k;		/* of a row of c and of a */

	j->columns = g->trans_a ? WIDE : few ? NARROW : g->n;
	j->rows = g->trans_a ? few ? ROWS_BACK / 2 : ROWS_BACK : ROWS;
	while (!g->trans_a && j->rows > BF16_ROWS && j->rows > CACHE / bytes)
		j->rows -= BF16_ROWS;
	j->rows = int_min(j->rows, g->m);
}

static void
run_parts(struct bf16_job *j, struct pool *pool, struct arena *scratch)
{
	const struct gemm *g = j->g;
	const size_t step = (size_t)div_up(j->rows, VECTOR) * VECTOR;
	const size_t a = g->trans_a ? step * (size_t)j->pairs
		: (size_t)j->rows * (size_t)div_up(j->pairs, j->block) * BF16_ROOM;

	j->sums = (a + VECTOR - 1) / VECTOR * VECTOR;
	j->share = j->sums + (size_t)j->rows * BF16_WIDTH;
	j->room = ARENA_ARRAY(scratch, uint32_t, j->share * (size_t)pool_threads(pool));
	pool_run(pool, div_up(g->m, j->rows) * div_up(g->n, j->columns), one_part, j);
}

void
bf16_shared(const struct backend *b, const struct gemm *g, struct pool *pool,
	    struct arena *scratch, product_finish *finish, void *arg)
{
	struct bf16_job j = { .g = g, .finish = finish, .arg = arg };
	const int step = g->trans_a ? BF16_PART : g->k;

	(void)b;
	plan(&j);
	for (int from = 0; from < g->k; from += step) {
		const struct arena_mark mark = arena_mark(scratch);

		set_depth(&j, from);
		j.finish = from + step >= g->k ? finish : NULL;
		if (g->prepared && !g->trans_a)
			j.panels = g->prepared->panels;
		else
			pack_b(&j, pool, scratch);
		run_parts(&j, pool, scratch);
		arena_rewind_to(scratch, mark);
	}
	if (finish && j.columns < g->n)
		product_finish_all(pool, g->m, finish, arg);
}

const struct prepared *
bf16_prepare(const struct backend *b, const struct gemm *g, struct pool *pool, struct arena *mem)
{
	struct bf16_job j = { .g = g };
	struct prepared *p = ARENA_ARRAY(mem, struct prepared, 1);

	(void)b;
	set_depth(&j, 0);
	pack_b(&j, pool, mem);
	p->panels = j.panels;
	return p;
}

#else
typedef int bf16_products_are_single;
#endif
