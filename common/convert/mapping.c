/* mapping: see mapping.h. */
#include "convert/mapping.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model-file/member.h"
#include "tensor/kernels.h"

enum { MAX_PARTS = 3 };

/* Rows [from, from + rows) of a parameter. */
struct part { const struct weight *w; struct tensor_layout layout; int from, rows; };

struct mapped_param { const struct param *p; struct part part[MAX_PARTS]; int n; };

void
mapping_init(struct mapping *g, struct weights *w, struct model *m)
{
	*g = (struct mapping){ .w = w, .m = m };
}

void
mapping_release(struct mapping *g)
{
	free(g->list);
	*g = (struct mapping){ .n = 0 };
}

/* Of a vector each element is a row. */
static int
columns_of(const struct param *p)
{
	return p->n_dim == 1 ? 1 : p->d[1];
}

static int
wrong_shape(const struct weight *w, const char *param, int64_t rows, int64_t columns, struct err *e)
{
	struct buf shape = { 0 };

	weight_shape(w, &shape);
	err_set(e, EXIT_INPUT, "tensor %s has shape %s, expected %lldx%lld for %s", w->name,
		shape.data, (long long)rows, (long long)columns, param);
	buf_release(&shape);
	return -1;
}

/* Has it the elements of these rows? */
static int
check_part(const struct part *x, const struct param *p, struct err *e)
{
	const struct weight *w = x->w;
	const int64_t columns = columns_of(p);
	int64_t rows = x->rows + x->layout.first, have, wide;

	if (w->type == WEIGHT_OTHER)
		return err_set(e, EXIT_INPUT,
			       "tensor %s has type %s, expected floating point of 16, 32 "
			       "or 64 bits",
			       w->name, w->type_name);
	for (int i = 0; x->layout.row && i < x->rows; i++)
		rows = x->layout.row[i] >= rows || !i ? x->layout.row[i] + 1 : rows;
	if (p->n_dim == 1) {
		have = (int64_t)w->n;
		wide = 1;
		if (w->n_dim > 2 || (w->n_dim == 2 && w->d[0] != 1 && w->d[1] != 1))
			have = -1;
	} else {
		have = w->n_dim == 2 ? w->d[x->layout.transposed] : -1;
		wide = w->n_dim == 2 ? w->d[!x->layout.transposed] : -1;
	}
	if (wide != columns || have < rows || (!x->layout.row && have != rows))
		return x->layout.transposed ? wrong_shape(w, p->name, columns, rows, e)
					    : wrong_shape(w, p->name, rows, columns, e);
	return 0;
}

static void
note_use(struct weight *w, const struct part *x, const struct param *p, bool alone)
{
	if (w->use.n)
		buf_add_str(&w->use, ", ");
	buf_add_str(&w->use, p->name);
	if (!alone)
		buf_printf(&w->use, " %d-%d", x->from + 1, x->from + x->rows);
	if (x->layout.transposed && p->n_dim == 2)
		buf_add_str(&w->use, " transposed");
	if (x->layout.row)
		buf_add_str(&w->use, " reordered");
	if (x->layout.first)
		buf_printf(&w->use, " from row %d", x->layout.first + 1);
}

int
mapping_add(struct mapping *g, const char *param, const char *const *tensor, int n,
	    const struct tensor_layout *layout, struct err *e)
{
	const struct param *p = params_find(&g->m->params, param);
	struct mapped_param x = { .p = p, .n = n };

	if (!p || n > MAX_PARTS || p->d[0] % n)
		bug("mapping_add: %s of %d tensors", param, n);
	for (int i = 0; i < n; i++) {
		const int rows = p->d[0] / n;
		struct weight *w = weights_find(g->w, tensor[i]);

		if (!w)
			return err_set(e, EXIT_INPUT, "tensor %s is missing, expected it for %s",
				       tensor[i], param);
		x.part[i] = (struct part){ w, *layout, i * rows, rows };
		if (check_part(&x.part[i], p, e))
			return -1;
		note_use(w, &x.part[i], p, n == 1);
	}
	g->list = mem_grow(g->list, &g->room, g->n + 1, sizeof(*g->list));
	g->list[g->n++] = x;
	return 0;
}

int
mapping_add_one(struct mapping *g, const char *param, const char *tensor, struct err *e)
{
	const struct tensor_layout plain = { .row = NULL };

	return mapping_add(g, param, &tensor, 1, &plain, e);
}

void
mapping_ignore(struct mapping *g, const char *tensor, const char *why)
{
	struct weight *w = weights_find(g->w, tensor);

	if (w && !w->use.n)
		buf_printf(&w->use, "- (%s)", why);
}

int
mapping_check(const struct mapping *g, struct err *e)
{
	for (size_t i = 0; i < g->m->params.n; i++) {
		const struct param *p = g->m->params.list[i];
		size_t k = 0;

		while (k < g->n && g->list[k].p != p)
			k++;
		if (k == g->n)
			bug("mapping_check: %s is not mapped", p->name);
	}
	for (size_t i = 0; i < g->w->n; i++)
		if (!g->w->list[i].use.n)
			return err_set(e, EXIT_INPUT,
				       "tensor %s cannot be imported: no parameter is made "
				       "of it",
				       g->w->list[i].name);
	return 0;
}

/* Rows [r, r + n) of a part, which the tensor has one after another. */
static void
get_rows(const struct part *x, int r, int n, int columns, real *out)
{
	const size_t at = (size_t)(x->layout.first + r) * (size_t)columns;

	weight_get(x->w, at, (size_t)n * (size_t)columns, out);
}

/* The same of columns of the tensor. */
static void
get_columns(const struct part *x, int r, int n, int columns, real *out)
{
	const size_t width = x->w->n / (size_t)columns;
	real *line = xmalloc((size_t)n * sizeof(*line));

	for (int c = 0; c < columns; c++) {
		weight_get(x->w, (size_t)c * width + (size_t)(x->layout.first + r), (size_t)n,
			   line);
		for (int i = 0; i < n; i++)
			out[(size_t)i * (size_t)columns + (size_t)c] = line[i];
	}
	free(line);
}

/* The same where each row has a place of its own. */
static void
get_scattered(const struct part *x, int r, int n, int columns, real *out)
{
	for (int i = 0; i < n; i++, out += columns) {
		const struct part one = {
			x->w, { x->layout.transposed, NULL, x->layout.row[r + i] }, 0, 1
		};

		if (one.layout.first < 0)
			k_zero((size_t)columns, out);
		else if (x->layout.transposed)
			get_columns(&one, 0, 1, columns, out);
		else
			get_rows(&one, 0, 1, columns, out);
	}
}

static int
fill_part(const struct part *x, int r, int n, int columns, real *out, struct err *e)
{
	if (x->layout.row)
		get_scattered(x, r, n, columns, out);
	else if (x->layout.transposed && columns > 1)
		get_columns(x, r, n, columns, out);
	else
		get_rows(x, r, n, columns, out);
	if (r + n == x->rows)
		weight_forget(x->w);
	if (!k_finite((size_t)n * (size_t)columns, out))
		return err_set(e, EXIT_INPUT, "tensor %s has a value that is NaN or infinite",
			       x->w->name);
	return 0;
}

int
mapping_fill(void *arg, const struct param *p, size_t start, size_t n, real *out, struct err *e)
{
	const struct mapping *g = arg;
	const int columns = columns_of(p);
	int r = (int)(start / (size_t)columns), left = (int)(n / (size_t)columns);
	const struct mapped_param *x = g->list;

	while (x->p != p)
		x++;
	for (const struct part *part = x->part; left; part++) {
		const int end = part->from + part->rows, now = end - r < left ? end - r : left;

		if (r >= end)
			continue;
		if (fill_part(part, r - part->from, now, columns, out, e))
			return -1;
		out += (size_t)now * (size_t)columns;
		r += now;
		left -= now;
	}
	return 0;
}

void
mapping_list(const struct weights *w, struct buf *out)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct weight *x = &w->list[i];

		buf_printf(out, "tensor\t%s\t%s\t", x->name, x->type_name);
		weight_shape(x, out);
		buf_printf(out, "\t%s\n", x->use.n ? x->use.data : "?");
	}
}
