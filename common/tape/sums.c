/* sums: sums over rows with the same bits for any number of threads; see op.h. */
#include "base/pool.h"
#include "tape/op.h"
#include "tensor/kernels.h"

enum { GRAIN = 64 };		/* rows */

void
sums_begin(struct sums *s, struct pass *p, int rows, int width)
{
	s->rows = rows;
	s->width = width;
	s->grain = GRAIN;
	s->pieces = (rows + GRAIN - 1) / GRAIN;
	s->part = arena_zero(p->scratch, (size_t)s->pieces * (size_t)width * sizeof(real));
}

struct sums_job { const struct sums *s; range_work *work; void *arg; };

static void
sums_do_piece(void *arg, int piece, int thread)
{
	const struct sums_job *j = arg;
	int from = piece * j->s->grain, to = from + j->s->grain;

	(void)thread;
	j->work(j->arg, from, to < j->s->rows ? to : j->s->rows);
}

void
sums_run(const struct sums *s, struct pass *p, range_work *work, void *arg)
{
	struct sums_job j = { s, work, arg };

	pool_run(p->pool, s->pieces, sums_do_piece, &j);
}

real *
sums_of(const struct sums *s, int row)
{
	return s->part + (ptrdiff_t)(row / s->grain) * s->width;
}

struct ending { const struct sums *s; real beta, *to; };

static void
sums_do_columns(void *arg, int from, int to)
{
	const struct ending *e = arg;
	const struct sums *s = e->s;
	size_t n = (size_t)(to - from);

	for (int i = 1; i < s->pieces; i++)
		k_add(n, s->part + from, s->part + (ptrdiff_t)i * s->width + from, s->part + from);
	k_axpby(n, 1, s->part + from, e->beta, e->to + from);
}

void
sums_end(const struct sums *s, struct pass *p, real beta, real *y)
{
	struct ending e = { s, beta, y };

	if (s->pieces)
		pass_ranges(p, s->width, s->pieces, sums_do_columns, &e);
	else if (beta == 0)
		k_zero((size_t)s->width, y);
}

struct columns { const struct sums *s; const real *g; int ld; };

static void
sums_do_rows(void *arg, int from, int to)
{
	const struct columns *c = arg;
	real *sum = sums_of(c->s, from);

	for (int r = from; r < to; r++)
		k_add((size_t)c->s->width, sum, c->g + (ptrdiff_t)r * c->ld, sum);
}

void
pass_column_sums(struct pass *p, int rows, int width, const real *g, int ld, real beta, real *y)
{
	struct sums s;
	struct columns c = { &s, g, ld };

	sums_begin(&s, p, rows, width);
	sums_run(&s, p, sums_do_rows, &c);
	sums_end(&s, p, beta, y);
}
