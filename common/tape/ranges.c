/* ranges: how ops cut their work for the threads: by shapes alone. */
#include <stdio.h>

#include "base/err.h"
#include "base/pool.h"
#include "tape/op.h"

enum { PIECE = 16384 };		/* numbers */

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
	size_t at = (size_t)from * 4096, end = (size_t)to * 4096 < e->size ? (size_t)to * 4096 : e->size;

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
infer_like(struct node *n, const struct node *in)
{
	n->n_dim = in->n_dim;
	for (int i = 0; i < in->n_dim; i++)
		n->d[i] = in->d[i];
	n->rows = in->rows;
	n->queries = in->queries;
	n->keys = in->keys;
	n->heads = in->heads;
	n->block = in->block;
}

static int
shape_text(const struct node *n, char *s, size_t room)
{
	if (!n)
		return snprintf(s, room, " none");
	if (n->block)
		return snprintf(s, room, " blocks of %d heads", n->heads);
	if (n->n_dim == 0)
		return snprintf(s, room, " scalar");
	return snprintf(s, room, n->n_dim == 1 ? " [%d]" : " [%d,%d]", n->d[0], n->n_dim > 1 ? n->d[1] : 0);
}

void
bug_shapes(const struct node *n)
{
	char text[256] = "";
	size_t at = 0;

	for (int i = 0; i < n->n_in; i++)
		at += (size_t)shape_text(n->in[i], text + at, sizeof(text) - at);
	bug("%s: shapes do not fit:%s; it computes %s", n->op->name, text, n->op->formula);
}
