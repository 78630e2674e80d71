/* units: relevance of fully connected ops; see units.h. */
#include "ops/kit/units.h"

#include <string.h>

#include "base/pool.h"

/*
 * Rows are processed ROWS at a time, which share a tile of weights while it is in the cache.  Below
 * SPARSE_PLANES planes, picking the inputs costs more time than it saves.
 */
enum { ROWS = 32, SUMS = 4 * SHARE_SUMS, SPARSE_PLANES = 4 };

/* Numbers of outputs of a tile with different relevance, and with equal relevance. */
struct part { int outputs, alike; };

/* The relevance of the outputs of a row, transposed. */
struct turned {
	int from, planes;		/* planes that are not 0 */
	real *c;			/* [outputs, planes], see struct share_tile */
	int *output;			/* [outputs] indices of outputs */
	struct part *part;		/* of each SHARE_OUTPUTS outputs */
	bool sparse;			/* many inputs are 0 */
};

/* The inputs of a row in a tile that are computed: those that are not 0, and the first 0. */
struct picked {
	int n;
	bool keep[SHARE_WIDE];
	uint8_t place[SHARE_WIDE];	/* the computed input for each input */
	real x[SHARE_WIDE];
};

struct block {
	const struct units *u;
	const struct unit_row *row;
	int rows;
	struct unit *unit;		/* [rows, outputs] */
	struct turned turned[ROWS];
	char *room;
	size_t stride;
};

/* The scratch memory of a thread. */
struct space {
	real *w, *picked;		/* [SHARE_OUTPUTS, SHARE_WIDE] */
	real *got;			/* [rows, planes, SHARE_WIDE] relevance of inputs */
	struct picked *pick;		/* [rows] */
};

/* The number of outputs of the tile that begins with output j. */
static int
outputs_from(const struct units *u, int j)
{
	return u->outputs - j < SHARE_OUTPUTS ? u->outputs - j : SHARE_OUTPUTS;
}

/* Copies the weights of outputs [j, j + n), inputs [i, i + width). */
static void
copy_tile(const struct units *u, int j, int n, int i, int width, real *y)
{
	for (int k = 0; k < n; k++, y += SHARE_WIDE) {
		memcpy(y, u->w + (j + k) * u->ldw + i, (size_t)width * sizeof(*y));
		memset(y + width, 0, (size_t)(SHARE_WIDE - width) * sizeof(*y));
	}
}

/* Computes the sums of contributions of n outputs, for all rows while the weights are cached. */
static void
make_some_units(const struct block *b, int j, int n)
{
	const struct units *u = b->u;
	const real *w[SHARE_SUMS];
	real add[SHARE_SUMS];

	for (int k = 0; k < SHARE_SUMS; k++) {
		w[k] = u->w + (k < n ? j + k : j) * u->ldw;
		add[k] = u->bias && !u->absorb && k < n ? u->bias[j + k] / (real)u->inputs : 0;
	}
	for (int r = 0; r < b->rows; r++) {
		struct unit *unit = b->unit + (ptrdiff_t)r * u->outputs + j;
		struct signs s[SHARE_SUMS];

		k_signs_of(u->inputs, w, b->row[r].x, add, s);
		for (int k = 0; k < n; k++) {
			const real bias = u->absorb && u->bias ? u->bias[j + k] : 0;

			unit[k] = (struct unit){
				add[k], k_shares_bias(&u->share, u->inputs, s[k], bias)
			};
			k_count_bias(&u->share, &unit[k].k, s[k], bias, u->planes,
				     u->from + b->row[r].from + j + k, u->step_from);
		}
	}
}

static void
make_units(void *arg, int piece, int thread)
{
	const struct block *b = arg;
	const int from = piece * SUMS;
	const int to = from + SUMS < b->u->outputs ? from + SUMS : b->u->outputs;

	(void)thread;
	for (int j = from; j < to; j += SHARE_SUMS)
		make_some_units(b, j, to - j < SHARE_SUMS ? to - j : SHARE_SUMS);
}

/*
 * Moves outputs that are 0 and whose relevance equals like to the end, as one.  y [n] and c begin
 * at the same output.  like NULL: keeps all outputs.  If like is all 0, these outputs are dropped.
 */
static struct part
group_equal(int n, const real *y, int planes, const real *like, real *c, int *output)
{
	const size_t size = (size_t)planes * sizeof(*c);
	const bool count = like && k_planes(1, planes, like, 0).to > 0;
	int alike[SHARE_OUTPUTS];
	struct part p = { 0, 0 };

	for (int j = 0; j < n; j++) {
		real *to = c + (ptrdiff_t)p.outputs * planes, *from = c + (ptrdiff_t)j * planes;

		if (like && y[j] == 0 && !memcmp(from, like, size)) {
			alike[p.alike++] = j;
			continue;
		}
		if (to != from)
			memcpy(to, from, size);
		output[p.outputs++] = j;
	}
	p.alike = count ? p.alike : 0;
	memcpy(output + p.outputs, alike, (size_t)p.alike * sizeof(*alike));
	if (p.alike)
		memcpy(c + (ptrdiff_t)p.outputs * planes, like, size);
	return p;
}

/* Whether at least one input in eight is 0. */
static bool
is_sparse(const real *x, int n)
{
	int zeros = 0;

	for (int i = 0; i < n; i++)
		zeros += x[i] == 0;
	return 8 * zeros >= n && zeros > 1;
}

/* Transposes the planes that are not 0, so that those of an output are adjacent. */
static void
turn(void *arg, int r, int thread)
{
	struct block *b = arg;
	const struct units *u = b->u;
	const real *rel = u->from + b->row[r].from, *y = b->row[r].y;
	struct turned *t = &b->turned[r];
	real *like = (real *)(void *)(b->room + (size_t)thread * b->stride);
	const struct planes some = k_planes(u->planes, u->outputs, rel, u->step_from);
	int first = 0;

	t->from = some.from;
	t->planes = some.to - some.from;
	t->sparse = t->planes >= SPARSE_PLANES && is_sparse(b->row[r].x, u->inputs);
	if (!t->planes)
		return;
	k_transpose(t->planes, u->outputs, rel + t->from * u->step_from, u->step_from, t->c,
		    t->planes, t->planes);
	while (y && first < u->outputs && y[first] != 0)
		first++;
	if (!y || first == u->outputs)
		like = NULL;
	else
		memcpy(like, t->c + (ptrdiff_t)first * t->planes,
		       (size_t)t->planes * sizeof(*like));
	for (int j = 0; j < u->outputs; j += SHARE_OUTPUTS)
		t->part[j / SHARE_OUTPUTS] =
			group_equal(outputs_from(u, j), y ? y + j : NULL, t->planes, like,
				    t->c + (ptrdiff_t)j * t->planes, t->output + j);
}

static void
pick(struct picked *p, const real *x, int width)
{
	int zero = -1;

	p->n = 0;
	for (int i = 0; i < width; i++) {
		p->keep[i] = x[i] != 0 || zero < 0;
		p->place[i] = (uint8_t)(p->keep[i] ? p->n : zero);
		zero = x[i] == 0 && zero < 0 ? p->n : zero;
		if (p->keep[i])
			p->x[p->n++] = x[i];
	}
}

static real *
got_of(const struct block *b, const struct space *s, int r, int plane)
{
	return s->got + ((ptrdiff_t)r * b->u->planes + plane) * SHARE_WIDE;
}

static void
units_share_row(const struct block *b, const struct space *s, int r, int j, int i, int width)
{
	const struct units *u = b->u;
	const struct turned *turned = &b->turned[r];
	const struct part part = turned->part[j / SHARE_OUTPUTS];
	const struct picked *p = &s->pick[r];
	struct share_tile t = {
		.planes = turned->planes, .outputs = part.outputs, .alike = part.alike,
		.output = turned->output + j,
		.unit = b->unit + (ptrdiff_t)r * u->outputs + j, .w = s->w, .ldw = SHARE_WIDE,
		.x = b->row[r].x + i,
		.c = turned->c + (ptrdiff_t)j * turned->planes, .to = got_of(b, s, r, 0),
		.step = SHARE_WIDE,
	};

	if (turned->sparse) {
		k_pick(t.outputs + t.alike, t.output, p->keep, width, s->w, s->picked, SHARE_WIDE);
		t.w = s->picked;
		t.x = p->x;
		width = p->n;
	}
	for (int at = 0; at < width; at += SHARE_TILE) {
		t.n = width - at < SHARE_TILE ? width - at : SHARE_TILE;
		k_share_tile(&t);
		t.w += SHARE_TILE;
		t.x += SHARE_TILE;
		t.to += SHARE_TILE;
	}
}

/* Adds the relevance of computed inputs to all inputs. */
static void
units_spread(const struct block *b, const struct space *s, int r, int i, int width)
{
	const struct turned *t = &b->turned[r];
	const uint8_t *place = s->pick[r].place;

	for (int k = 0; k < t->planes; k++) {
		const real *got = got_of(b, s, r, k);
		real *to = b->u->to + (t->from + k) * b->u->step_to + b->row[r].to + i;

		if (!t->sparse)
			k_add((size_t)width, got, to, to);
		else
			for (int e = 0; e < width; e++)
				to[e] += got[place[e]];
	}
}

static struct space
space_of(const struct block *b, int thread)
{
	const size_t tile = (size_t)SHARE_OUTPUTS * SHARE_WIDE;
	struct space s = { .w = (real *)(void *)(b->room + (size_t)thread * b->stride) };

	s.picked = s.w + tile;
	s.got = s.picked + tile;
	s.pick = (struct picked *)(void *)(s.got + (size_t)b->rows * (size_t)b->u->planes *
					   SHARE_WIDE);
	return s;
}

static void
share_tile(void *arg, int piece, int thread)
{
	const struct block *b = arg;
	const struct units *u = b->u;
	const struct space s = space_of(b, thread);
	const int i = piece * SHARE_WIDE, left = u->inputs - i;
	const int width = left < SHARE_WIDE ? left : SHARE_WIDE;

	k_zero((size_t)b->rows * (size_t)u->planes * SHARE_WIDE, s.got);
	for (int r = 0; r < b->rows; r++)
		if (b->turned[r].sparse)
			pick(&s.pick[r], b->row[r].x + i, width);
	for (int j = 0; j < u->outputs; j += SHARE_OUTPUTS) {
		copy_tile(u, j, outputs_from(u, j), i, width, s.w);
		for (int r = 0; r < b->rows; r++)
			if (b->turned[r].planes)
				units_share_row(b, &s, r, j, i, width);
	}
	for (int r = 0; r < b->rows; r++)
		units_spread(b, &s, r, i, width);
}

static size_t
room_of(const struct units *u, int rows)
{
	const size_t tiles = 2 * (size_t)SHARE_OUTPUTS * SHARE_WIDE;
	const size_t got = (size_t)rows * (size_t)u->planes * SHARE_WIDE;

	return (tiles + got) * sizeof(real) + (size_t)rows * sizeof(struct picked);
}

void
units_relevance(const struct units *u, struct pass *p)
{
	const int max_rows = u->rows < ROWS ? u->rows : ROWS;
	const int parts = (u->outputs + SHARE_OUTPUTS - 1) / SHARE_OUTPUTS;
	struct block b = { .u = u };

	b.unit = ARENA_ARRAY(p->scratch, struct unit, (size_t)max_rows * (size_t)u->outputs);
	for (int r = 0; r < max_rows; r++) {
		b.turned[r].c = ARENA_ARRAY(p->scratch, real,
					    (size_t)u->outputs * (size_t)u->planes);
		b.turned[r].output = ARENA_ARRAY(p->scratch, int, u->outputs);
		b.turned[r].part = ARENA_ARRAY(p->scratch, struct part, parts);
	}
	b.room = pass_thread_scratch(p, room_of(u, max_rows), &b.stride);
	for (int r = 0; r < u->rows; r += ROWS) {
		b.row = u->row + r;
		b.rows = u->rows - r < ROWS ? u->rows - r : ROWS;
		pool_run(p->pool, b.rows, turn, &b);
		pool_run(p->pool, (u->outputs + SUMS - 1) / SUMS, make_units, &b);
		pool_run(p->pool, (u->inputs + SHARE_WIDE - 1) / SHARE_WIDE, share_tile, &b);
	}
}
