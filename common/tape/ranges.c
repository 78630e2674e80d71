/* ranges: work and sums that are divided among threads, by shapes alone; see op.h. */
#include "base/buf.h"
#include "base/err.h"
#include "base/pool.h"
#include "tape/op.h"
#include "tensor/kernels.h"

enum { PIECE = 16384 };		/* elements */

struct ranges { range_work *work; void *arg; int n, grain; };

static void
do_range(void *arg, int piece, int thread)
{
	const struct ranges *r = arg;
	int from = piece * r->grain;

	(void)thread;
	r->work(r->arg, from, from + r->grain < r->n ? from + r->grain : r->n);
}

int
pass_grain(int width)
{
	return width >= PIECE ? 1 : width > 1 ? PIECE / width : PIECE;
}

void
pass_ranges(struct pass *p, int n, int width, range_work *work, void *arg)
{
	struct ranges r = { work, arg, n, pass_grain(width) };

	if (n > 0)
		pool_run(p->pool, (n + r.grain - 1) / r.grain, do_range, &r);
}

struct elements {
	int k;
	real *const *base;
	ptrdiff_t ld[ELEMENTS_MAX];
	size_t size;			/* of a flat array, else 0 */
	int width;
	element_work *work;
	const void *arg;
};

static void
do_flat(void *arg, int from, int to)
{
	const struct elements *e = arg;
	real *v[ELEMENTS_MAX];
	const size_t at = (size_t)from * 4096, to_end = (size_t)to * 4096;
	const size_t end = to_end < e->size ? to_end : e->size;

	for (int i = 0; i < e->k; i++)
		v[i] = e->base[i] + at;
	e->work(e->arg, v, end - at);
}

static void
do_lines(void *arg, int from, int to)
{
	const struct elements *e = arg;
	real *v[ELEMENTS_MAX];

	for (int r = from; r < to; r++) {
		for (int i = 0; i < e->k; i++)
			v[i] = e->base[i] + r * e->ld[i];
		e->work(e->arg, v, (size_t)e->width);
	}
}

void
pass_elements(struct pass *p, int k, real *const *base, const struct node *const *node,
	      element_work *work, const void *arg)
{
	struct elements e = { .k = k, .base = base, .work = work, .arg = arg };
	bool flat = true;

	for (int i = 0; i < k; i++) {
		e.ld[i] = node[i]->ld;
		if (!node[i]->block && node[i]->n_dim == 2 && node[i]->ld != node[i]->d[1])
			flat = false;
	}
	if (flat) {
		e.size = node_size(node[0]);
		pass_ranges(p, (int)((e.size + 4095) / 4096), 4096, do_flat, &e);
	} else {
		e.width = node[0]->d[1];
		pass_ranges(p, node[0]->d[0], e.width, do_lines, &e);
	}
}

void *
pass_thread_scratch(struct pass *p, size_t bytes, size_t *stride)
{
	*stride = (bytes + 127) / 128 * 128;
	return arena_get(p->scratch, *stride * (size_t)pool_threads(p->pool));
}

int
layout_used(const struct layout *l)
{
	int n = 0;

	for (int i = 0; i < l->n; i++)
		n += l->len[i];
	return n;
}

void
infer_like(struct node *n, const struct node *input)
{
	n->n_dim = input->n_dim;
	for (int i = 0; i < input->n_dim; i++)
		n->d[i] = input->d[i];
	n->rows = input->rows;
	n->queries = input->queries;
	n->keys = input->keys;
	n->heads = input->heads;
	n->block = input->block;
}

static void
ranges_add_shape(struct buf *out, const struct node *n)
{
	if (!n)
		buf_add_str(out, " none");
	else if (n->block)
		buf_printf(out, " blocks of %d heads", n->heads);
	else if (n->n_dim == 0)
		buf_add_str(out, " scalar");
	else if (n->n_dim == 1)
		buf_printf(out, " [%d]", n->d[0]);
	else
		buf_printf(out, " [%d,%d]", n->d[0], n->d[1]);
}

void
bug_shapes(const struct node *n)
{
	struct buf text = { 0 };

	buf_add_str(&text, "");
	for (int i = 0; i < n->n_in; i++)
		ranges_add_shape(&text, n->in[i]);
	bug("%s: wrong shapes%s, expected %s", n->op->name, text.data, n->op->formula);
}

/* --- sums --- */

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

void
sums_run(const struct sums *s, struct pass *p, range_work *work, void *arg)
{
	struct ranges r = { work, arg, s->rows, s->grain };

	pool_run(p->pool, s->pieces, do_range, &r);
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
