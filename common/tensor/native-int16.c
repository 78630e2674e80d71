/*
 * native-int16: products of factors in 16-bit integers, of the back end native; see int16.h.
 *
 * Rows of a are counted in their units once a product: where c is cut by columns before
 * anything else, where it is cut by rows by the piece that has them.  b lies in panels as in
 * backend-native.c, two numbers of a column, one below the other, in the place of one float.
 */
#include "base/arena.h"
#include "base/pool.h"
#include "tensor/cut.h"
#include "tensor/kernels.h"
#include "tensor/native.h"
#include "tensor/product.h"

enum {
	ROWS   = 16 * TILE_ROWS,	/* few: c is cut by columns */
	NARROW = 4 * TILE_WIDTH,	/* so many of them */
	GAP    = 32			/* between rows of integers, which must not collide */
};

struct prepared {
	const int16_t *panels;		/* [panel][pairs of k][TILE_WIDTH][2] */
	const real *unit;		/* [panel][TILE_WIDTH] */
};

/* op(A), or op(B) transposed: rows of k numbers, in memory columns if it is turned. */
struct factor { const real *x; int rows, k, ld; bool turned; };

struct job {
	const struct gemm *g;
	const struct tile_kernels *kernels;
	struct factor a;
	struct prepared b;
	int16_t *q;			/* a's rows, or each thread's share of them */
	real *unit;
	real *room;			/* each thread's: rows that were turned */
	int down, across;		/* so many pieces of c */
	product_finish *finish;
	void *arg;
};

/* Numbers of a row of integers, with the gap; pairs of k. */
static int
distance(int k)
{
	return pieces(k, GAP) * GAP + GAP;
}

static int
pairs(int k)
{
	return pieces(k, 2);
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

/* Of one thread. */
static size_t
room_to_turn(const struct factor *f)
{
	return f->turned ? (size_t)TILE_WIDTH * (size_t)f->k : 0;
}

/* Where the panel that begins with this column is. */
static ptrdiff_t
panel_at(int k, int column)
{
	return (ptrdiff_t)2 * pairs(k) * column;
}

/* At most TILE_WIDTH rows. */
static void
to_integers(const struct tile_kernels *kernels, const struct factor *f, int from, int to,
	    real *room, int16_t *q, real *unit)
{
	const real *x = f->turned ? room : f->x + (ptrdiff_t)from * f->ld;
	const int ld = f->turned ? f->k : f->ld;

	if (f->turned)
		k_transpose(f->k, to - from, f->x + from, f->ld, room, f->k, f->k);
	for (int r = 0; r < to - from; r++, x += ld, q += distance(f->k)) {
		unit[r] = kernels->unit(f->k, x);
		kernels->to_int16(f->k, x, unit[r], q);
		q[f->k] = 0;
	}
}

struct pack {
	const struct tile_kernels *kernels;
	struct factor b;
	int16_t *panels, *q;		/* q, room: each thread's share */
	real *unit, *room;
};

/* A piece is a panel. */
static void
pack_panel(void *arg, int piece, int thread)
{
	const struct pack *p = arg;
	const int from = piece * TILE_WIDTH, to = least(from + TILE_WIDTH, p->b.rows);
	const int ld = distance(p->b.k);
	int16_t *q = p->q + (ptrdiff_t)thread * TILE_WIDTH * ld;
	real *room = p->room + (size_t)thread * room_to_turn(&p->b);

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
	const int panels = pieces(g->n, TILE_WIDTH), threads = pool_threads(pool);
	struct pack p = {
		.kernels = kernels, .b = right_of(g),
		.panels = ARENA_ARRAY(mem, int16_t, panel_at(g->k, panels * TILE_WIDTH)),
		.unit = ARENA_ARRAY(mem, real, panels * TILE_WIDTH),
		.q = ARENA_ARRAY(scratch, int16_t,
				 (ptrdiff_t)threads * TILE_WIDTH * distance(g->k)),
	};

	p.room = ARENA_ARRAY(scratch, real, (size_t)threads * room_to_turn(&p.b));
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

/* Rows [from, to) of a; the place of the first is given. */
static void
take_rows(const struct job *j, int from, int to, int thread, int16_t *q, real *unit)
{
	real *room = j->room + (size_t)thread * room_to_turn(&j->a);

	for (int i = from; i < to; i += TILE_ROWS) {
		to_integers(j->kernels, &j->a, i, least(i + TILE_ROWS, to), room, q, unit);
		q += TILE_ROWS * distance(j->a.k);
		unit += TILE_ROWS;
	}
}

static void
take_group(void *arg, int piece, int thread)
{
	const struct job *j = arg;
	const int from = piece * TILE_ROWS, to = least(from + TILE_ROWS, j->a.rows);

	take_rows(j, from, to, thread, j->q + (ptrdiff_t)from * distance(j->a.k), j->unit + from);
}

static void
multiply(const struct job *j, int from, int to, int left, int right, const int16_t *q,
	 const real *unit)
{
	const struct gemm *g = j->g;
	const int depth = pairs(g->k), lines = 2 * depth;	/* of a panel */
	const int steps = pieces(to - from, TILE_ROWS) * pieces(depth, TILE_STEP);
	struct pair_tiles t = {
		.rows = to - from, .depth = depth, .a = q, .lda = distance(g->k), .a_unit = unit,
		.ldc = g->ldc, .alpha = g->alpha, .beta = g->beta, .share = pieces(lines, steps),
	};

	for (int column = left; column < right; column += TILE_WIDTH) {
		const int then = column + TILE_WIDTH;

		t.width = least(TILE_WIDTH, right - column);
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
	const struct job *j = arg;
	const int left = cut(j->g->n, TILE_WIDTH, j->across, piece);
	const int right = cut(j->g->n, TILE_WIDTH, j->across, piece + 1);

	(void)thread;
	multiply(j, 0, j->g->m, left, right, j->q, j->unit);
}

static void
do_rows(void *arg, int piece, int thread)
{
	const struct job *j = arg;
	const int from = cut(j->g->m, TILE_ROWS, j->down, piece);
	const int to = cut(j->g->m, TILE_ROWS, j->down, piece + 1);
	int16_t *q = j->q + (ptrdiff_t)thread * ROWS * distance(j->a.k);
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
	struct job j = {
		.g = g, .kernels = kernels, .a = left_of(g), .finish = finish, .arg = arg,
		.b = g->prepared ? *g->prepared : pack(kernels, g, pool, scratch, scratch),
		.q = ARENA_ARRAY(scratch, int16_t, (ptrdiff_t)rows * distance(g->k)),
		.unit = ARENA_ARRAY(scratch, real, rows),
		.down = pieces(g->m, 4 * ROWS) * 4, .across = pieces(g->n, NARROW),
	};

	j.room = ARENA_ARRAY(scratch, real, (size_t)pool_threads(pool) * room_to_turn(&j.a));
	if (!few) {
		pool_run(pool, j.down, do_rows, &j);
		return;
	}
	pool_run(pool, pieces(g->m, TILE_ROWS), take_group, &j);
	pool_run(pool, j.across, do_columns, &j);
	if (finish)
		product_finish_all(pool, g->m, finish, arg);
}
