/* units: see units.h. */
#include "tape/units.h"

#include <string.h>

#include "base/pool.h"

/*
 * So many rows at a time, whose relevance then stays in the cache; so many outputs a tile, whose weights do.
 */
enum { ROWS = 32, OUTPUTS = 256, SUMS = 16 };

struct block {
	const struct units *u;
	const struct unit_row *row;
	int rows, first, planes;	/* of the planes at work */
	struct unit *unit;		/* [rows, outputs] */
	/* Of each row: planes that have something, [from, to), and their relevance [outputs, k_share_planes()]. */
	int from[ROWS], to[ROWS];
	real *c[ROWS];
	char *room;
	size_t stride;
};

const real *
units_matrix_row(const void *matrix, int j, real *room)
{
	const struct node *w = matrix;

	(void)room;
	return w->x + (ptrdiff_t)j * w->ld;
}

void
units_matrix_tile(const void *matrix, int j, int n, int i, int width, real *to)
{
	const struct node *w = matrix;

	for (int k = 0; k < n; k++) {
		const real *from = w->x + (ptrdiff_t)(j + k) * w->ld + i;

		if (width == SHARE_TILE) {	/* of a size that the compiler knows */
			memcpy(to + k * SHARE_TILE, from, SHARE_TILE * sizeof(*to));
			continue;
		}
		memcpy(to + k * SHARE_TILE, from, (size_t)width * sizeof(*to));
		memset(to + k * SHARE_TILE + width, 0, (size_t)(SHARE_TILE - width) * sizeof(*to));
	}
}

/* What stands before all shares: each output's sums, for all rows while its weights are at hand. */
static void
make_units(void *arg, int piece, int thread)
{
	const struct block *b = arg;
	const struct units *u = b->u;
	const int from = piece * SUMS, to = from + SUMS < u->outputs ? from + SUMS : u->outputs;

	for (int j = from; j < to; j++) {
		const real *w = u->weights(u->arg, j, (real *)(void *)(b->room + (size_t)thread * b->stride));
		const real add = u->bias ? u->bias[j] / (real)u->inputs : 0;

		for (int r = 0; r < b->rows; r++) {
			const struct signs s = k_signs(u->inputs, w, b->row[r].x, add);

			b->unit[(ptrdiff_t)r * u->outputs + j] = (struct unit){
				add, k_shares(&u->share, u->inputs, s.positive, s.negative, 1)
			};
		}
	}
}

static bool
any(const real *x, int n)
{
	for (int i = 0; i < n; i++)
		if (x[i] != 0)
			return true;
	return false;
}

/* The planes of a row that have any relevance there, turned so that those of an output are neighbours. */
static void
turn(void *arg, int r, int thread)
{
	struct block *b = arg;
	const struct units *u = b->u;
	const real *rel = u->from + b->first * u->step_from + b->row[r].from;
	int from = 0, to = b->planes, pad;

	(void)thread;
	while (from < to && !any(rel + from * u->step_from, u->outputs))
		from++;
	while (to > from && !any(rel + (to - 1) * u->step_from, u->outputs))
		to--;
	b->from[r] = from;
	b->to[r] = to;
	pad = k_share_planes(to - from);
	if (from < to)
		k_transpose(to - from, u->outputs, rel + from * u->step_from, u->step_from, b->c[r], pad, pad);
}

static void
share_row(const struct block *b, int r, int j, int n, int i, int width, const real *w)
{
	const struct units *u = b->u;
	const int planes = b->to[r] - b->from[r];
	struct share_tile t = {
		.n = width, .outputs = n, .planes = k_share_planes(planes), .w = w, .x = b->row[r].x + i,
		.unit = b->unit + (ptrdiff_t)r * u->outputs + j,
	};

	t.c = b->c[r] + (ptrdiff_t)j * t.planes;
	for (int p = 0; p < planes; p++)
		t.to[p] = u->to + (b->first + b->from[r] + p) * u->step_to + b->row[r].to + i;
	if (planes)
		k_share_tile(&t);
}

static void
share_tile(void *arg, int piece, int thread)
{
	const struct block *b = arg;
	const struct units *u = b->u;
	const int i = piece * SHARE_TILE, left = u->inputs - i, width = left < SHARE_TILE ? left : SHARE_TILE;
	real *w = (real *)(void *)(b->room + (size_t)thread * b->stride);

	for (int j = 0; j < u->outputs; j += OUTPUTS) {
		const int n = u->outputs - j < OUTPUTS ? u->outputs - j : OUTPUTS;

		u->tile(u->arg, j, n, i, width, w);
		for (int r = 0; r < b->rows; r++)
			share_row(b, r, j, n, i, width, w);
	}
}

/* As many planes as go together, of some rows. */
static void
share_block(struct block *b, struct pass *p)
{
	pool_run(p->pool, b->rows, turn, b);
	pool_run(p->pool, (b->u->inputs + SHARE_TILE - 1) / SHARE_TILE, share_tile, b);
}

void
units_relevance(const struct units *u, struct pass *p)
{
	const int groups = (u->planes + SHARE_PLANES - 1) / SHARE_PLANES;
	const size_t room = u->inputs > OUTPUTS * SHARE_TILE ? (size_t)u->inputs : OUTPUTS * SHARE_TILE;
	const int most = u->rows < ROWS ? u->rows : ROWS;
	struct block b = { .u = u };

	b.unit = ARENA_ARRAY(p->scratch, struct unit, (size_t)most * (size_t)u->outputs);
	for (int r = 0; r < most; r++)
		b.c[r] = ARENA_ARRAY(p->scratch, real,
				     (size_t)u->outputs * (u->planes < SHARE_PLANES ? (size_t)u->planes + 1 : SHARE_PLANES));
	b.room = pass_thread_scratch(p, room * sizeof(real), &b.stride);
	for (int r = 0; r < u->rows; r += ROWS) {
		b.row = u->row + r;
		b.rows = u->rows - r < ROWS ? u->rows - r : ROWS;
		pool_run(p->pool, (u->outputs + SUMS - 1) / SUMS, make_units, &b);
		b.first = 0;
		for (int g = groups; g > 0; g--) {
			b.planes = (u->planes - b.first + g - 1) / g;
			share_block(&b, p);
			b.first += b.planes;
		}
	}
}
