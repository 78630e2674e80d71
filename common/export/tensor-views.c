/* tensor-views: see tensor-views.h. */
#include "export/tensor-views.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model-file/member.h"

/* Elements that are computed before they are written. */
#define ELEMENTS ((size_t)1 << 16)

void
tensor_views_release(struct tensor_views *v)
{
	for (size_t i = 0; i < v->n; i++)
		free(v->list[i].name);
	free(v->list);
	*v = (struct tensor_views){ .n = 0 };
}

/* The length of a dimension of p before pruning. */
static int
tensor_views_whole(const struct param *p, int axis)
{
	const struct cut *c = &p->cut;

	if (axis >= p->n_dim)
		return 1;
	return c->parts && c->axis == axis && c->n ? p->d[axis] / c->n * c->of : p->d[axis];
}

/* Where an index before pruning is in p; -1: its block has been pruned. */
static int
retained(const struct param *p, int axis, int index)
{
	const struct cut *c = &p->cut;
	int size, part, block;

	if (!c->parts || c->axis != axis)
		return index;
	size = p->d[axis] / (c->parts * c->n);
	part = index / (size * c->of);
	block = index / size % c->of;
	for (int i = 0; i < c->n; i++)
		if (c->block[i] == block)
			return (part * c->n + i) * size + index % size;
	return -1;
}

struct tensor_view *
tensor_views_add(struct tensor_views *v, const char *name, const struct param *p,
		 enum view_shape shape, int rows,
	  int columns, const struct tensor_view_layout *layout)
{
	struct tensor_view *x;

	v->list = mem_grow(v->list, &v->room, v->n + 1, sizeof(*v->list));
	x = &v->list[v->n++];
	*x = (struct tensor_view){
		.name = xstrdup(name), .p = p, .shape = shape, .rows = rows, .scale = 1,
		.columns = shape != VIEW_MATRIX ? 1 : p ? tensor_views_whole(p, 1) : columns,
	};
	if (layout) {
		x->first = layout->first;
		x->row = layout->row;
		x->transposed = layout->transposed && shape == VIEW_MATRIX;
	}
	return x;
}

void
view_shape(const struct tensor_view *v, int *n_dim, int d[2])
{
	*n_dim = v->shape == VIEW_VECTOR ? 1 : 2;
	d[0] = v->shape == VIEW_LINE ? 1 : v->transposed ? v->columns : v->rows;
	d[1] = v->shape == VIEW_LINE ? v->rows : v->transposed ? v->rows : v->columns;
}

size_t
tensor_view_elements(const struct tensor_view *v)
{
	return (size_t)v->rows * (size_t)v->columns;
}

/* The element of a row and a column before transposition. */
static real
element(const struct tensor_view *v, int i, int j)
{
	const struct param *p = v->p;
	const int row = v->row ? v->row[i] : v->first + i;
	int r, c;
	real x = 0;

	if (row < 0)
		return 0;
	if (v->valid && !v->valid[row])
		return VIEW_MASKED;
	if (p) {
		r = retained(p, 0, row);
		c = p->n_dim > 1 ? retained(p, 1, j) : 0;
		if (r >= 0 && c >= 0)
			x = v->scale *
			    p->x[(size_t)r * (size_t)(p->n_dim > 1 ? p->d[1] : 1) + (size_t)c];
	}
	return v->add ? x + v->factor * v->add->x[j] : x;
}

/* Lines [start, start + n) of the tensor, as it is written. */
static void
get_lines(const struct tensor_view *v, int start, int n, real *out)
{
	const int wide = v->transposed ? v->rows : v->columns;

	for (int i = start; i < start + n; i++)
		for (int j = 0; j < wide; j++)
			*out++ = v->transposed ? element(v, j, i) : element(v, i, j);
}

int
tensor_view_write(const struct tensor_view *v, tensor_view_put *put, void *arg, struct err *e)
{
	const int lines = v->transposed ? v->columns : v->rows;
	const size_t wide = (size_t)(v->transposed ? v->rows : v->columns);
	const int step = wide < ELEMENTS ? (int)(ELEMENTS / wide) : 1;
	real *x = xmalloc((size_t)step * wide * sizeof(*x));
	unsigned char *bytes = xmalloc((size_t)step * wide * F32_SIZE);
	int r = 0;

	for (int at = 0; !r && at < lines; at += step) {
		const int n = lines - at < step ? lines - at : step;

		get_lines(v, at, n, x);
		f32_put(x, (size_t)n * wide, bytes);
		r = put(arg, bytes, (size_t)n * wide * F32_SIZE, e);
	}
	free(bytes);
	free(x);
	return r;
}
