/*
 * bf16-products: see bf16-products.h.
 *
 * C is split into parts by its shape.  b is packed into panels once for all of them.  A part packs
 * its rows of a, which stay in the second-level cache while one panel of b after the other is
 * multiplied.  Rows of op(A) = A are only rounded.  Those of A' keep the order of memory, in pairs
 * of k, so that nothing is transposed, except for AMX, which reads all rows in the order of k.  AMX
 * multiplies faster than memory is read, so the rows of a and the part of c that come next are
 * fetched meanwhile.
 */
#ifndef REAL_DOUBLE
#include "tensor/backend/bf16-products.h"

#include <string.h>

#include "tensor/backend/native.h"
#include "tensor/bf16-tiles.h"
#include "tensor/cut.h"
#include "tensor/kernels.h"
#include "tensor/processor.h"
#include "tensor/product.h"

enum {
	ROWS       = 96,	/* of a part; fewer if its a and c would not fit the cache */
	ROWS_BACK  = 96,	/* in a weight gradient: whole cache lines of a */
	MANY_ROWS  = 4096,	/* from this number, as of a vocabulary, parts are larger: */
	ROWS_MANY  = 256,
	FEW_ROWS   = 192,	/* up to this number, columns are split, too */
	CACHE      = 1 << 19,	/* bytes for rows of a and c, at the second level */
	CACHE_LAST = 1 << 23,	/* at the last level, if no tile fits the second */
	NARROW     = 4 * BF16_WIDTH,
	WIDE       = 16 * BF16_WIDTH,	/* columns of a part of a weight gradient */
	VECTOR     = 16,	/* pairs */
	BLOCKS     = 2		/* of k that are multiplied at once; not so in a weight gradient */
};

/* b: panels of [pairs][BF16_WIDTH] */
struct prepared { const uint32_t *panels; };

/* A product, or the current part of its depth. */
struct bf16_job {
	const struct gemm *g;
	const struct bf16_kernel *kernel;
	bool by_pairs;			/* rows of a are packed as [pairs][rows] */
	int from, depth;		/* the current part of k */
	int pairs, block;		/* in k, and in a block of k */
	int turn;			/* pairs of the blocks that are multiplied at once */
	int rows, columns;		/* of a part of c */
	int down, across;		/* number of parts of c along its rows and columns */
	real beta;			/* of this part of k */
	uint32_t *packed;		/* where b is packed */
	const uint32_t *panels;
	uint32_t *room;			/* per thread: packed rows of a, then sums */
	size_t share, sums;		/* elements of room per thread; offset of the sums */
	product_finish *finish;
	void *arg;
};

/* One pair of padding is enough: further zeros do not change a sum. */
static void
set_pairs(struct bf16_job *j)
{
	const bool part = j->g->trans_a && j->depth < BF16_PART;
	const int padded = part ? round_up(j->depth, BF16_PAD) : j->depth;

	j->pairs = div_up(j->depth, 2) + (padded > round_up(j->depth, 2));
	j->block = padded > 2 * BF16_DEPTH ? BF16_DEPTH : BF16_DEPTH / 2;
}

/* Sets the part of k. */
static void
set_depth(struct bf16_job *j, int first)
{
	const struct gemm *g = j->g;

	j->from = first;
	j->depth = g->trans_a ? int_min(BF16_PART, g->k - first) : g->k;
	if (j->kernel->pairs == 1) {	/* AVX512_BF16: step 3 of the rule */
		set_pairs(j);
	} else {
		j->pairs = round_up(div_up(j->depth, 2), j->kernel->pairs);
		j->block = BF16_DEPTH;
	}
	j->turn = g->trans_a ? j->pairs : int_min(j->pairs, BLOCKS * BF16_DEPTH);
	j->beta = first ? 1 : g->beta;
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
	if (g->b16)
		k_pairs_of_bf16(j->depth, int_min(BF16_WIDTH, g->n - left),
				g->b16 + j->from * row + left, row, to, BF16_WIDTH);
	else
		k_pairs_bf16(j->depth, int_min(BF16_WIDTH, g->n - left),
			     g->b + j->from * row + left * column, row, column,
			     (bf16 *)(void *)to, BF16_WIDTH);
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

/* Packs pairs [done, done + pairs) of rows of A' as [pairs][step]. */
static void
pack_pairs(const struct bf16_job *j, int first, int rows, int done, int pairs, int step,
	   uint32_t *packed)
{
	const struct gemm *g = j->g;
	const int depth = int_min(2 * pairs, j->depth - 2 * done), whole = div_up(depth, 2);
	const ptrdiff_t at = (ptrdiff_t)(j->from + 2 * done) * g->lda + first;

	if (g->a16)
		k_pairs_of_bf16(depth, rows, g->a16 + at, g->lda, packed, step);
	else
		k_pairs_bf16(depth, rows, g->a + at, g->lda, 1, (bf16 *)(void *)packed, step);
	memset(packed + (ptrdiff_t)whole * step, 0,
	       (size_t)(pairs - whole) * (size_t)step * sizeof(*packed));
}

/* Packs pairs [done, done + pairs) of rows of A as [rows][BF16_ROOM]. */
static void
pack_block(const struct bf16_job *j, int first, int rows, int done, int pairs, uint32_t *packed)
{
	const struct gemm *g = j->g;
	const int depth = int_min(2 * pairs, g->k - 2 * done), whole = div_up(depth, 2);
	ptrdiff_t at = (ptrdiff_t)first * g->lda + 2 * done;

	for (int r = 0; r < rows; r++, at += g->lda, packed += BF16_ROOM) {
		if (depth % 2)
			packed[depth / 2] = 0;
		if (g->a16)
			memcpy(packed, g->a16 + at, (size_t)depth * sizeof(*g->a16));
		else
			k_to_bf16((size_t)depth, g->a + at, (bf16 *)(void *)packed);
		if (pairs > whole)
			memset(packed + whole, 0, (size_t)(pairs - whole) * sizeof(*packed));
	}
}

/* The same for rows of A'. */
static void
transpose_rows(const struct bf16_job *j, int first, int rows, int done, int pairs, uint32_t *packed)
{
	uint32_t part[BF16_TILE * ROWS_MANY];
	const int step = round_up(rows, VECTOR);

	for (int i = 0; i < pairs; i += BF16_TILE) {
		pack_pairs(j, first, rows, done + i, BF16_TILE, step, part);
		k_transpose(BF16_TILE, rows, (const real *)(const void *)part, step,
			    (real *)(void *)(packed + i), BF16_ROOM, BF16_TILE);
	}
}

/* The same for several blocks, one after the other; for AMX with zeros after the last row. */
static void
pack_rows(const struct bf16_job *j, int first, int rows, int done, int pairs, uint32_t *packed)
{
	const ptrdiff_t step = round_up(rows, BF16_TILE);

	for (; pairs > 0; pairs -= j->block, done += j->block, packed += step * BF16_ROOM) {
		(j->g->trans_a ? transpose_rows : pack_block)(j, first, rows, done,
							      int_min(pairs, j->block), packed);
		if (j->kernel->transposes)
			memset(packed + (ptrdiff_t)rows * BF16_ROOM, 0,
			       (size_t)(step - rows) * BF16_ROOM * sizeof(*packed));
	}
}

/* A part of c, and the current turn: blocks of k. */
struct bf16_part {
	int from, rows, left, right, done, pairs;
	uint32_t *a;
	float *sums;			/* of the turns before: [panel][row_step][BF16_WIDTH] */
	ptrdiff_t row_step;
};

/* Can the tiles write or add to c? */
static bool
direct(const struct bf16_job *j)
{
	return j->g->alpha == 1 && (j->beta == 0 || j->beta == 1);
}

/* c = alpha sums + beta c */
static void
store(const struct bf16_job *j, const struct bf16_tiles *t, const float *sums, float *c)
{
	for (int r = 0; r < t->rows; r++, sums += BF16_WIDTH, c += j->g->ldc)
		k_axpby((size_t)t->width, j->g->alpha, sums, j->beta, c);
}

static struct bf16_part
part_of_product(const struct bf16_job *j, int piece, int thread)
{
	const struct gemm *g = j->g;
	uint32_t *room = j->room + (size_t)thread * j->share;
	struct bf16_part p = {
		.from = piece / j->across * j->rows, .left = piece % j->across * j->columns,
		.pairs = j->turn, .a = room, .sums = (float *)room + j->sums,
	};

	p.right = int_min(p.left + j->columns, g->n);
	p.rows = int_min(j->rows, g->m - p.from);
	p.row_step = round_up(p.rows, BF16_TILE);
	return p;
}

/* The next turn, of this part or the next one; its pairs are 0 after the last. */
static struct bf16_part
next_turn(const struct bf16_job *j, int piece, int thread, struct bf16_part p)
{
	p.done += p.pairs;
	p.pairs = int_min(j->turn, j->pairs - p.done);
	if (p.pairs > 0 || piece + 1 == j->down * j->across)
		return p;
	return part_of_product(j, piece + 1, thread);
}

/* The number of calls of prefetch_lines() for a panel, or for all of them. */
static int
calls(const struct bf16_part *p, bool all)
{
	const int panels = all ? div_up(p->right - p->left, BF16_WIDTH) : 1;

	return panels * div_up(p->rows, 2 * BF16_TILE) * div_up(p->pairs, BF16_TILE);
}

/* The rows of a that `next` packs, during p. */
static struct prefetch
rows_of(const struct bf16_job *j, const struct bf16_part *next, const struct bf16_part *p)
{
	const struct gemm *g = j->g;
	const ptrdiff_t size = g->a16 ? sizeof(*g->a16) : sizeof(*g->a), row = g->lda * size;
	const char *a = g->a16 ? (const char *)g->a16 : (const char *)g->a;
	const int first = j->from + 2 * next->done;
	const int depth = int_min(2 * next->pairs, j->depth - 2 * next->done);

	if (next->pairs <= 0)
		return (struct prefetch){ 0 };
	if (g->trans_a)
		return prefetch_of(a + first * row + next->from * size, row, depth,
				   next->rows * (int)size, calls(p, true));
	return prefetch_of(a + next->from * row + first * size, row, next->rows,
			   depth * (int)size, calls(p, true));
}

/* The panel of c from column n, or the first one of `next`, during p. */
static struct prefetch
panel_of_c(const struct bf16_job *j, int n, const struct bf16_part *next, const struct bf16_part *p)
{
	const struct bf16_part *of = n < p->right ? p : next;
	const int column = n < p->right ? n : next->left;
	const float *c = j->g->c + (ptrdiff_t)of->from * j->g->ldc + column;

	if (of->pairs <= 0)
		return (struct prefetch){ 0 };
	return prefetch_of(c, j->g->ldc * (ptrdiff_t)sizeof(*c), of->rows,
			   int_min(BF16_WIDTH, of->right - column) * (int)sizeof(*c),
			   calls(p, false));
}

/* Multiplies the packed rows with the panel of c's columns from n. */
static void
bf16_multiply(const struct bf16_job *j, const struct bf16_part *p, int n, struct prefetch *fetch)
{
	const bool last = p->done + p->pairs >= j->pairs, into_c = last && direct(j);
	float *c = j->g->c + (ptrdiff_t)p->from * j->g->ldc + n;
	float *sums = p->sums + (n - p->left) * p->row_step;
	const ptrdiff_t step = round_up(j->rows, VECTOR);
	const struct bf16_tiles t = {
		.rows = p->rows, .width = int_min(BF16_WIDTH, p->right - n), .pairs = p->pairs,
		.block = j->block, .by_pairs = j->by_pairs, .a = p->a, .a_step = step,
		.a_block = j->by_pairs ? j->block * step : p->row_step * BF16_ROOM,
		.b = j->panels + (size_t)(n / BF16_WIDTH) * panel_size(j) +
		     (ptrdiff_t)p->done * BF16_WIDTH,
		.before = p->done ? sums : NULL, .add = into_c && j->beta != 0,
		.c = into_c ? c : sums, .ldc = into_c ? j->g->ldc : BF16_WIDTH, .whole = !into_c,
		.next = fetch,
	};

	j->kernel->tiles(&t);
	if (last && !into_c)
		store(j, &t, sums, c);
}

/* One turn of a part. */
static void
one_turn(const struct bf16_job *j, const struct bf16_part *p, const struct bf16_part *next)
{
	struct prefetch fetch[2] = { rows_of(j, next, p) };

	if (j->by_pairs)
		pack_pairs(j, p->from, p->rows, p->done, p->pairs, round_up(j->rows, VECTOR), p->a);
	else
		pack_rows(j, p->from, p->rows, p->done, p->pairs, p->a);
	if (j->kernel->begin)
		j->kernel->begin();
	for (int n = p->left; n < p->right; n += BF16_WIDTH) {
		fetch[1] = panel_of_c(j, n + BF16_WIDTH, next, p);
		bf16_multiply(j, p, n, fetch);
	}
	if (j->kernel->end)
		j->kernel->end();
}

/* One turn after the other, so that rows of a and a panel's blocks stay in the caches. */
static void
one_part(void *arg, int piece, int thread)
{
	const struct bf16_job *j = arg;
	struct bf16_part p = part_of_product(j, piece, thread), next = p;

	do {
		p = next;
		next = next_turn(j, piece, thread, p);
		one_turn(j, &p, &next);
	} while (p.done + p.pairs < j->pairs);
	if (j->finish && j->across == 1)
		j->finish(j->arg, p.from, p.from + p.rows);
}

/* Splits c by the shape of the product. */
static void
bf16_plan(struct bf16_job *j)
{
	const struct gemm *g = j->g;
	const bool few = g->m <= FEW_ROWS;
	/* of a row of c and of a turn of a */
	const int bytes = 4 * g->n + 2 * int_min(g->k, 2 * BLOCKS * BF16_DEPTH);
	const int least = j->kernel->rows;
	const int cache = CACHE / bytes >= least ? CACHE : CACHE_LAST;

	j->columns = g->trans_a ? WIDE : few ? NARROW : g->n;
	if (g->trans_a)
		j->rows = few ? ROWS_BACK / 2 : g->m < MANY_ROWS ? ROWS_BACK : ROWS_MANY;
	else
		j->rows = ROWS;
	while (!g->trans_a && j->rows > least && j->rows > cache / bytes)
		j->rows -= least;
	j->rows = int_min(j->rows, g->m);
	j->down = div_up(g->m, j->rows);
	j->across = div_up(g->n, j->columns);
}

static void
run_parts(struct bf16_job *j, struct pool *pool, struct arena *scratch)
{
	const struct gemm *g = j->g;
	const size_t step = (size_t)round_up(j->rows, VECTOR);
	const bool by_tiles = j->pairs <= j->turn && direct(j);
	const int across = round_up(int_min(j->columns, g->n), BF16_WIDTH);

	j->sums = step * (size_t)(j->by_pairs ? j->turn : div_up(j->turn, j->block) * BF16_ROOM);
	j->share = j->sums + (by_tiles ? 0 : step * (size_t)across);
	j->room = ARENA_ARRAY(scratch, uint32_t, j->share * (size_t)pool_threads(pool));
	pool_run(pool, j->down * j->across, one_part, j);
}

/*
 * The member gemm_shared of the back end native in bf16 (set_precision() of backend-native.c).  It
 * rounds factors in fp32 itself, so product.c passes them on unchanged (BACKEND_ROUNDS).
 */
void
native_bf16_shared(const struct backend *b, const struct gemm *g, struct pool *pool,
		   struct arena *scratch, product_finish *finish, void *arg)
{
	const struct bf16_kernel *kernel = ((const struct native *)b->state)->bf16;
	struct bf16_job j = {
		.g = g, .kernel = kernel, .by_pairs = g->trans_a && !kernel->transposes,
		.finish = finish, .arg = arg,
	};
	const int step = g->trans_a ? BF16_PART : g->k;

	bf16_plan(&j);
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
native_bf16_prepare(const struct backend *b, const struct gemm *g, struct pool *pool,
		    struct arena *mem)
{
	struct bf16_job j = { .g = g, .kernel = ((const struct native *)b->state)->bf16 };
	struct prepared *p = ARENA_ARRAY(mem, struct prepared, 1);

	set_depth(&j, 0);
	pack_b(&j, pool, mem);
	p->panels = j.panels;
	return p;
}

/* --- which instructions --- */

static const struct bf16_products products[] = {
	{ "avx512bf16", "AVX512_BF16", BF16_AVX512, &bf16_avx512, 0 },
	{ "amx", "AMX", BF16_AMX, &bf16_amx, BACKEND_MATRIX_UNITS },
};

const struct bf16_products *
bf16_products_find(const char *name)
{
	struct processor p;

	processor_read(&p);
	for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++) {
		const struct bf16_products *x = &products[i];

		if ((*name ? !strcmp(name, x->name) : x->unit == processor_bf16(&p)) &&
		    processor_has_bf16(&p, x->unit))
			return x;
	}
	return NULL;
}

#else
#include "tensor/backend/bf16-products.h"

#include <stddef.h>

const struct bf16_products *
bf16_products_find(const char *name)
{
	(void)name;
	return NULL;
}
#endif
