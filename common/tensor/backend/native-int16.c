/*
 * native-int16: products of 16-bit integers in the back end native; see int16.h.
 *
 * Rows of a are converted to integers once per product: before all else if c is split by columns,
 * in their part if it is split by rows.  b is packed into panels as in backend-native.c, with pairs
 * of successive elements of a column in place of one float.
 */
#include "base/arena.h"
#include "base/pool.h"
#include "tensor/backend/native.h"
#include "tensor/cut.h"
#include "tensor/kernels.h"
#include "tensor/product.h"

enum {
	ROWS   = 16 * TILE_ROWS,	/* up to this many rows, c is split by columns */
	NARROW = 4 * TILE_WIDTH,	/* columns of a part */
	GAP    = 32			/* elements between rows, to avoid cache conflicts */
};

struct prepared {
	const int16_t *panels;		/* [panel][pairs of k][TILE_WIDTH][2] */
	const real *unit;		/* [panel][TILE_WIDTH] */
};

/* op(A), or op(B) transposed: rows of k elements.  transposed: they are columns in memory. */
struct factor { const real *x; int rows, k, ld; bool transposed; };

struct int16_job {
	const struct gemm *g;
	const struct tile_kernels *kernels;
	struct factor a;
	struct prepared b;
	int16_t *q;			/* rows of a as integers: all, or ROWS per thread */
	real *unit;
	real *room;			/* transposed rows, per thread */
	int down, across;		/* number of parts of c along its rows and columns */
	product_finish *finish;
	void *arg;
};

/* The row_distance between rows of integers, in elements. */
static int
row_distance(int k)
{
	return div_up(k, GAP) * GAP + GAP;
}

static int
pairs(int k)
{
	return div_up(k, 2);
}

static struct factor
left_of(const struct gemm *g)
{
	return (struct factor){ g->a, g->m, g->k, g->lda, g->trans_a };
}

static struct factor
right_of(const struct gemm *g)
{
	return (struct factor){ g->b, g->n, g->k, g->ldb, !g->trans_b };
}

/* Elements that a thread needs for transposed rows. */
static size_t
transpose_room(const struct factor *f)
{
	return f->transposed ? (size_t)TILE_WIDTH * (size_t)f->k : 0;
}

/* The offset of the panel that starts at this column. */
static ptrdiff_t
panel_at(int k, int column)
{
	return (ptrdiff_t)2 * pairs(k) * column;
}

/* Converts rows [from, to), at most TILE_WIDTH, to integers in q and their units. */
static void
to_integers(const struct tile_kernels *kernels, const struct factor *f, int from, int to,
	    real *room, int16_t *q, real *unit)
{
	const real *x = f->transposed ? room : f->x + (ptrdiff_t)from * f->ld;
	const int ld = f->transposed ? f->k : f->ld;

	if (f->transposed)
		k_transpose(f->k, to - from, f->x + from, f->ld, room, f->k, f->k);
	for (int r = 0; r < to - from; r++, x += ld, q += row_distance(f->k)) {
		unit[r] = kernels->unit(f->k, x);
		kernels->to_int16(f->k, x, unit[r], q);
		q[f->k] = 0;
	}
}

struct pack {
	const struct tile_kernels *kernels;
	struct factor b;
	int16_t *panels, *q;		/* q, room: per thread */
	real *unit, *room;
};

/* Packs one panel. */
static void
pack_panel(void *arg, int piece, int thread)
{
	const struct pack *p = arg;
	const int from = piece * TILE_WIDTH, to = int_min(from + TILE_WIDTH, p->b.rows);
	const int ld = row_distance(p->b.k);
	int16_t *q = p->q + (ptrdiff_t)thread * TILE_WIDTH * ld;
	real *room = p->room + (size_t)thread * transpose_room(&p->b);

	to_integers(p->kernels, &p->b, from, to, room, q, p->unit + from);
	for (int i = to; i < from + TILE_WIDTH; i++)
		p->unit[i] = 0;
	p->kernels->pack_b(pairs(p->b.k), to - from, (const real *)q, ld / 2, true,
			   (real *)(p->panels + panel_at(p->b.k, from)));
}

static struct prepared
pack(const struct tile_kernels *kernels, const struct gemm *g, struct pool *pool, struct arena *mem,
     struct arena *scratch)
{
	const int panels = div_up(g->n, TILE_WIDTH), threads = pool_threads(pool);
	struct pack p = {
		.kernels = kernels, .b = right_of(g),
		.panels = ARENA_ARRAY(mem, int16_t, panel_at(g->k, panels * TILE_WIDTH)),
		.unit = ARENA_ARRAY(mem, real, panels * TILE_WIDTH),
		.q = ARENA_ARRAY(scratch, int16_t,
				 (ptrdiff_t)threads * TILE_WIDTH * row_distance(g->k)),
	};

	p.room = ARENA_ARRAY(scratch, real, (size_t)threads * transpose_room(&p.b));
	pool_run(pool, panels, pack_panel, &p);
	return (struct prepared){ p.panels, p.unit };
}

const struct prepared *
native_int16_prepare(const struct backend *b, const struct gemm *g, struct pool *pool,
		     struct arena *mem)
{
	const struct native *s = b->state;
	struct prepared *p = ARENA_ARRAY(mem, struct prepared, 1);
	struct arena scratch;

	arena_init(&scratch, 0);
	*p = pack(s->kernels, g, pool, mem, &scratch);
	arena_release(&scratch);
	return p;
}

/* Converts rows [from, to) of a to integers in q and their units. */
static void
take_rows(const struct int16_job *j, int from, int to, int thread, int16_t *q, real *unit)
{
	real *room = j->room + (size_t)thread * transpose_room(&j->a);

	for (int i = from; i < to; i += TILE_ROWS) {
		to_integers(j->kernels, &j->a, i, int_min(i + TILE_ROWS, to), room, q, unit);
		q += TILE_ROWS * row_distance(j->a.k);
		unit += TILE_ROWS;
	}
}

static void
take_group(void *arg, int piece, int thread)
{
	const struct int16_job *j = arg;
	const int from = piece * TILE_ROWS, to = int_min(from + TILE_ROWS, j->a.rows);

	take_rows(j, from, to, thread, j->q + (ptrdiff_t)from * row_distance(j->a.k),
		  j->unit + from);
}

static void
multiply(const struct int16_job *j, int from, int to, int left, int right, const int16_t *q,
	 const real *unit)
{
	const struct gemm *g = j->g;
	const int depth = pairs(g->k), lines = 2 * depth;	/* cache lines of a panel */
	const int steps = div_up(to - from, TILE_ROWS) * div_up(depth, TILE_STEP);
	struct pair_tiles t = {
		.rows = to - from, .depth = depth, .a = q, .lda = row_distance(g->k),
		.a_unit = unit, .ldc = g->ldc, .alpha = g->alpha, .beta = g->beta,
		.share = div_up(lines, steps),
	};

	for (int column = left; column < right; column += TILE_WIDTH) {
		const int then = column + TILE_WIDTH;

		t.width = int_min(TILE_WIDTH, right - column);
		t.b = j->b.panels + panel_at(g->k, column);
		t.next = j->b.panels + panel_at(g->k, then < g->n ? then : column);
		t.b_unit = j->b.unit + column;
		t.c = g->c + (ptrdiff_t)from * g->ldc + column;
		j->kernels->multiply_pairs(&t);
	}
}

static void
do_columns(void *arg, int piece, int thread)
{
	const struct int16_job *j = arg;
	const int left = part_start(j->g->n, TILE_WIDTH, j->across, piece);
	const int right = part_start(j->g->n, TILE_WIDTH, j->across, piece + 1);

	(void)thread;
	multiply(j, 0, j->g->m, left, right, j->q, j->unit);
}

static void
do_rows(void *arg, int piece, int thread)
{
	const struct int16_job *j = arg;
	const int from = part_start(j->g->m, TILE_ROWS, j->down, piece);
	const int to = part_start(j->g->m, TILE_ROWS, j->down, piece + 1);
	int16_t *q = j->q + (ptrdiff_t)thread * ROWS * row_distance(j->a.k);
	real *unit = j->unit + (ptrdiff_t)thread * ROWS;

	take_rows(j, from, to, thread, q, unit);
	multiply(j, from, to, 0, j->g->n, q, unit);
	if (j->finish)
		j->finish(j->arg, from, to);
}

void
native_int16_shared(const struct backend *b, const struct gemm *g, struct pool *pool,
		    struct arena *scratch, product_finish *finish, void *arg)
{
	const struct tile_kernels *kernels = ((const struct native *)b->state)->kernels;
	const bool few = g->m <= ROWS;
	const int rows = few ? g->m : ROWS * pool_threads(pool);
	struct int16_job j = {
		.g = g, .kernels = kernels, .a = left_of(g), .finish = finish, .arg = arg,
		.b = g->prepared ? *g->prepared : pack(kernels, g, pool, scratch, scratch),
		.q = ARENA_ARRAY(scratch, int16_t, (ptrdiff_t)rows * row_distance(g->k)),
		.unit = ARENA_ARRAY(scratch, real, rows),
		.down = div_up(g->m, 4 * ROWS) * 4, .across = div_up(g->n, NARROW),
	};

	j.room = ARENA_ARRAY(scratch, real, (size_t)pool_threads(pool) * transpose_room(&j.a));
	if (!few) {
		pool_run(pool, j.down, do_rows, &j);
		return;
	}
	pool_run(pool, div_up(g->m, TILE_ROWS), take_group, &j);
	pool_run(pool, j.across, do_columns, &j);
	if (finish)
		product_finish_all(pool, g->m, finish, arg);
}
