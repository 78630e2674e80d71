/*
 * native-int: products of 16-bit and 8-bit integers in the back end native; see int16.h and int8.h.
 *
 * Rows of a are converted to integers once per product: before all else if c is split by columns,
 * in their part if it is split by rows.  b is packed into panels as in backend-native.c, with words
 * of successive elements of a column in place of one float: 2 elements of 16 bits or 4 of 8 bits.
 */
#include <string.h>

#include "base/arena.h"
#include "base/pool.h"
#include "tensor/backend/native.h"
#include "tensor/cut.h"
#include "tensor/kernels.h"
#include "tensor/product.h"

enum {
	ROWS   = 16 * TILE_ROWS,	/* up to this many rows, c is split by columns */
	NARROW = 4 * TILE_WIDTH,	/* columns of a part */
	GAP    = 16			/* words between rows, to avoid cache conflicts */
};

struct prepared {
	const uint32_t *panels;		/* [panel][words of k][TILE_WIDTH] */
	const real *unit;		/* [panel][TILE_WIDTH] */
	const int32_t *start;		/* [panel][TILE_WIDTH] struct word_tiles */
};

/*
 * op(A), or op(B) transposed: rows of k elements, which are `words` words as integers.  transposed:
 * they are columns in memory.
 */
struct factor {
	const real *x;
	int rows, k, ld, words;
	bool transposed;
	const int8_t *q;		/* or NULL: the integers of the rows, with their units */
	const real *unit;
};

struct int_job {
	const struct gemm *g;
	const struct word_kernels *kernels;
	struct factor a;
	struct prepared b;
	uint32_t *q;			/* rows of a as integers: all, or ROWS per thread */
	real *unit;
	real *room;			/* transposed rows, per thread */
	int down, across;		/* number of parts of c along its rows and columns */
	product_finish *finish;
	void *arg;
};

static const struct word_kernels *
kernels_of(const struct backend *b)
{
	const struct native *s = b->state;

	return b->caps & BACKEND_INT8 ? &s->kernels->int8 : &s->kernels->int16;
}

/* The distance between rows of integers, in words. */
static int
row_distance(const struct factor *f)
{
	return round_up(f->words, GAP) + GAP;
}

static struct factor
left_of(const struct word_kernels *w, const struct gemm *g)
{
	return (struct factor){
		.x = g->a, .rows = g->m, .k = g->k, .ld = g->lda,
		.words = div_up(g->k, w->per_word), .transposed = g->trans_a,
	};
}

static struct factor
right_of(const struct word_kernels *w, const struct gemm *g)
{
	return (struct factor){
		.x = g->b, .rows = g->n, .k = g->k, .ld = g->ldb,
		.words = div_up(g->k, w->per_word), .transposed = !g->trans_b,
		.q = g->b8, .unit = g->b_unit,
	};
}

/* Elements that a thread needs for transposed rows. */
static size_t
transpose_room(const struct factor *f)
{
	return f->transposed ? (size_t)TILE_WIDTH * (size_t)f->k : 0;
}

/* The offset of the panel that starts at this column. */
static ptrdiff_t
panel_at(int words, int column)
{
	return (ptrdiff_t)words * column;
}

/* Copies rows [from, to) that are integers already. */
static void
copy_integers(const struct factor *f, int from, int to, uint32_t *q, real *unit)
{
	for (int r = from; r < to; r++, q += row_distance(f)) {
		*unit++ = f->unit[r];
		q[f->words - 1] = 0;
		memcpy(q, f->q + (ptrdiff_t)r * f->ld, (size_t)f->k);
	}
}

/* Converts rows [from, to), at most TILE_WIDTH, to integers in q and their units. */
static void
to_integers(const struct word_kernels *w, int shift, const struct factor *f, int from, int to,
	    real *room, uint32_t *q, real *unit)
{
	const real *x = f->transposed ? room : f->x + (ptrdiff_t)from * f->ld;
	const int ld = f->transposed ? f->k : f->ld;

	if (f->transposed)
		k_transpose(f->k, to - from, f->x + from, f->ld, room, f->k, f->k);
	for (int r = 0; r < to - from; r++, x += ld, q += row_distance(f)) {
		unit[r] = w->unit(f->k, x);
		q[f->words - 1] = 0;
		w->convert(f->k, x, unit[r], shift, q);
	}
}

struct pack {
	const struct word_kernels *words;
	const struct tile_kernels *tiles;
	struct factor b;
	uint32_t *panels, *q;		/* q, room: per thread */
	real *unit, *room;
	int32_t *start;
};

/* -shift times the sum of a row of n bytes. */
static int32_t
start_of(int shift, int n, const void *row)
{
	const int8_t *q = row;
	int32_t sum = 0;

	for (int i = 0; i < n; i++)
		sum += q[i];
	return (int32_t)-(int64_t)((int64_t)shift * sum);
}

/* Packs one panel. */
static void
int_pack_panel(void *arg, int piece, int thread)
{
	const struct pack *p = arg;
	const int from = piece * TILE_WIDTH, to = int_min(from + TILE_WIDTH, p->b.rows);
	const int ld = row_distance(&p->b);
	uint32_t *q = p->q + (ptrdiff_t)thread * TILE_WIDTH * ld;
	real *room = p->room + (size_t)thread * transpose_room(&p->b);

	if (p->b.q)
		copy_integers(&p->b, from, to, q, p->unit + from);
	else
		to_integers(p->words, 0, &p->b, from, to, room, q, p->unit + from);
	for (int i = from; i < from + TILE_WIDTH; i++)
		p->start[i] = i < to && p->words->shift
			? start_of(p->words->shift, p->b.k, q + (ptrdiff_t)(i - from) * ld) : 0;
	for (int i = to; i < from + TILE_WIDTH; i++)
		p->unit[i] = 0;
	p->tiles->pack_b(p->b.words, to - from, (const real *)q, ld, true,
			 (real *)(p->panels + panel_at(p->b.words, from)));
}

static struct prepared
int_pack(const struct backend *back, const struct gemm *g, struct pool *pool, struct arena *mem,
	 struct arena *scratch)
{
	const struct word_kernels *w = kernels_of(back);
	const struct factor b = right_of(w, g);
	const int panels = div_up(g->n, TILE_WIDTH), threads = pool_threads(pool);
	struct pack p = {
		.words = w, .tiles = ((const struct native *)back->state)->kernels, .b = b,
		.panels = ARENA_ARRAY(mem, uint32_t, panel_at(b.words, panels * TILE_WIDTH)),
		.unit = ARENA_ARRAY(mem, real, panels * TILE_WIDTH),
		.start = ARENA_ARRAY(mem, int32_t, panels * TILE_WIDTH),
		.q = ARENA_ARRAY(scratch, uint32_t,
				 (ptrdiff_t)threads * TILE_WIDTH * row_distance(&b)),
	};

	p.room = ARENA_ARRAY(scratch, real, (size_t)threads * transpose_room(&p.b));
	pool_run(pool, panels, int_pack_panel, &p);
	return (struct prepared){ p.panels, p.unit, p.start };
}

const struct prepared *
native_int_prepare(const struct backend *b, const struct gemm *g, struct pool *pool,
		   struct arena *mem)
{
	struct prepared *p = ARENA_ARRAY(mem, struct prepared, 1);
	struct arena scratch;

	arena_init(&scratch, 0);
	*p = int_pack(b, g, pool, mem, &scratch);
	arena_release(&scratch);
	return p;
}

/* Converts rows [from, to) of a to integers in q and their units. */
static void
take_rows(const struct int_job *j, int from, int to, int thread, uint32_t *q, real *unit)
{
	real *room = j->room + (size_t)thread * transpose_room(&j->a);

	for (int i = from; i < to; i += TILE_ROWS) {
		to_integers(j->kernels, j->kernels->shift, &j->a, i, int_min(i + TILE_ROWS, to),
			    room, q, unit);
		q += TILE_ROWS * row_distance(&j->a);
		unit += TILE_ROWS;
	}
}

static void
take_group(void *arg, int piece, int thread)
{
	const struct int_job *j = arg;
	const int from = piece * TILE_ROWS, to = int_min(from + TILE_ROWS, j->a.rows);

	take_rows(j, from, to, thread, j->q + (ptrdiff_t)from * row_distance(&j->a),
		  j->unit + from);
}

static void
int_multiply(const struct int_job *j, int from, int to, int left, int right, const uint32_t *q,
	     const real *unit)
{
	const struct gemm *g = j->g;
	const int depth = j->a.words, lines = 2 * depth;	/* cache lines of a panel */
	const int steps = div_up(to - from, TILE_ROWS) * div_up(depth, TILE_STEP);
	struct word_tiles t = {
		.rows = to - from, .depth = depth, .a = q, .lda = row_distance(&j->a),
		.a_unit = unit, .ldc = g->ldc, .alpha = g->alpha, .beta = g->beta,
		.share = div_up(lines, steps),
	};

	for (int column = left; column < right; column += TILE_WIDTH) {
		const int then = column + TILE_WIDTH;

		t.width = int_min(TILE_WIDTH, right - column);
		t.b = j->b.panels + panel_at(depth, column);
		t.next = j->b.panels + panel_at(depth, then < g->n ? then : column);
		t.b_unit = j->b.unit + column;
		t.start = j->b.start + column;
		t.c = g->c + (ptrdiff_t)from * g->ldc + column;
		j->kernels->multiply(&t);
	}
}

static void
int_columns(void *arg, int piece, int thread)
{
	const struct int_job *j = arg;
	const int left = part_start(j->g->n, TILE_WIDTH, j->across, piece);
	const int right = part_start(j->g->n, TILE_WIDTH, j->across, piece + 1);

	(void)thread;
	int_multiply(j, 0, j->g->m, left, right, j->q, j->unit);
}

static void
int_rows(void *arg, int piece, int thread)
{
	const struct int_job *j = arg;
	const int from = part_start(j->g->m, TILE_ROWS, j->down, piece);
	const int to = part_start(j->g->m, TILE_ROWS, j->down, piece + 1);
	uint32_t *q = j->q + (ptrdiff_t)thread * ROWS * row_distance(&j->a);
	real *unit = j->unit + (ptrdiff_t)thread * ROWS;

	take_rows(j, from, to, thread, q, unit);
	int_multiply(j, from, to, 0, j->g->n, q, unit);
	if (j->finish)
		j->finish(j->arg, from, to);
}

void
native_int_shared(const struct backend *b, const struct gemm *g, struct pool *pool,
		  struct arena *scratch, product_finish *finish, void *arg)
{
	const struct word_kernels *w = kernels_of(b);
	const bool few = g->m <= ROWS;
	const int rows = few ? g->m : ROWS * pool_threads(pool);
	struct int_job j = {
		.g = g, .kernels = w, .a = left_of(w, g), .finish = finish, .arg = arg,
		.b = g->prepared ? *g->prepared : int_pack(b, g, pool, scratch, scratch),
		.unit = ARENA_ARRAY(scratch, real, rows),
		.down = div_up(g->m, 4 * ROWS) * 4, .across = div_up(g->n, NARROW),
	};

	j.q = ARENA_ARRAY(scratch, uint32_t, (ptrdiff_t)rows * row_distance(&j.a));
	j.room = ARENA_ARRAY(scratch, real, (size_t)pool_threads(pool) * transpose_room(&j.a));
	if (!few) {
		pool_run(pool, j.down, int_rows, &j);
		return;
	}
	pool_run(pool, div_up(g->m, TILE_ROWS), take_group, &j);
	pool_run(pool, j.across, int_columns, &j);
	if (finish)
		product_finish_all(pool, g->m, finish, arg);
}
