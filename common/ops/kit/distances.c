/* distances: products and sums by relative position; see distances.h. */
#include "ops/kit/distances.h"

#include "tensor/product.h"

static int
reach_of(const struct node *table)
{
	return table->d[0] / 2;
}

static int
rows(const struct distances *d)
{
	return 2 * d->reach + 1;
}

bool
distances_fit(const struct node *block, const struct node *table, const struct labels *labels,
	      int width)
{
	if (labels && (block->queries != block->keys || labels->n != table->d[0]))
		return false;
	return block->block && table->n_dim == 2 && table->d[0] % 2 == 1 &&
	       width == block->heads * table->d[1];
}

struct distances
distances_begin(struct pass *p, const struct node *block, struct node *table,
		const struct labels *labels)
{
	const int longest = heads_longest_of(block->queries, block->keys), k = reach_of(table);
	struct distances d = { .block = block, .table = table, .labels = labels };

	d.reach = labels || longest > k ? k : longest > 0 ? longest - 1 : 0;
	d.value = ARENA_ARRAY(p->scratch, real,
			       (size_t)block->queries->rows * (size_t)(block->heads * rows(&d)));
	return d;
}

/* The position of query i among the keys. */
static int
distances_place(const struct node *block, int sentence, int i)
{
	return i + block->keys->len[sentence] - block->queries->len[sentence];
}

int
distances_row(const struct node *block, const struct node *table, const struct labels *labels,
	      int sentence, int i, int j)
{
	int k = reach_of(table), distance = j - distances_place(block, sentence, i);

	if (labels)
		return labels->of[sentence]
			? labels->of[sentence][i * block->keys->len[sentence] + j] : -1;
	return (distance < -k ? -k : distance > k ? k : distance) + k;
}

/* The row of the table for the smallest distance that occurs. */
static real *
first_row(const struct distances *d, real *table)
{
	return table + (ptrdiff_t)(reach_of(d->table) - d->reach) * d->table->ld;
}

void
distances_from_rows(const struct distances *d, struct pass *p, real alpha, const real *x, int ld)
{
	int width = d->table->d[1], n = rows(d), heads = d->block->heads;
	const struct gemm g = {
		.m = d->block->queries->rows, .n = n, .k = width, .trans_b = true, .alpha = alpha,
		.a = x, .lda = ld, .b = first_row(d, d->table->x), .ldb = d->table->ld,
		.c = d->value, .ldc = heads * n,
	};

	heads_product(p, heads, &g, width, 0, n);
}

void
distances_to_rows(const struct distances *d, struct pass *p, real alpha, real beta, real *x, int ld)
{
	int width = d->table->d[1], n = rows(d), heads = d->block->heads;
	const struct gemm g = {
		.m = d->block->queries->rows, .n = width, .k = n, .alpha = alpha, .beta = beta,
		.a = d->value, .lda = heads * n, .b = first_row(d, d->table->x),
		.ldb = d->table->ld, .c = x, .ldc = ld,
	};

	heads_product(p, heads, &g, n, 0, width);
}

void
distances_gradient(const struct distances *d, struct pass *p, real alpha, const real *x, int ld)
{
	int width = d->table->d[1], n = rows(d), heads = d->block->heads;
	real beta, *to = grad_of(p, d->table, &beta);
	const struct gemm g = {
		.m = n, .n = width, .k = d->block->queries->rows, .trans_a = true, .alpha = alpha,
		.beta = 1, .a = d->value, .lda = heads * n, .b = x, .ldb = ld,
		.c = to ? first_row(d, to) : NULL, .ldc = d->table->ld,
	};

	if (!to)
		return;
	if (beta == 0)
		k_zero(node_size(d->table), to);
	heads_product(p, heads, &g, n, width, 0);
}

struct cells { const struct distances *d; const real *from; real *to; };

/* The values of query i of a sentence for head h. */
static real *
values(const struct distances *d, int sentence, ptrdiff_t i, int h)
{
	return d->value +
	       ((d->block->queries->start[sentence] + i) * d->block->heads + h) * rows(d);
}

/* y = x + the values of query i for head h */
static void
distances_add_row(const struct distances *d, int sentence, ptrdiff_t i, int h, const real *x,
		  real *y)
{
	const int keys = d->block->keys->len[sentence];
	const real *value = values(d, sentence, i, h);

	if (!d->labels)
		k_add_by_distance(keys, distances_place(d->block, sentence, (int)i), d->reach,
				  value, x, y);
	else if (d->labels->of[sentence])
		k_labels((size_t)keys, d->labels->of[sentence] + i * keys, value, rows(d), x,
			 y);
	else if (x != y)
		k_copy((size_t)keys, x, y);
}

static void
distances_add_sentence(void *arg, int sentence, real *room)
{
	const struct cells *c = arg;
	const struct distances *d = c->d;

	(void)room;
	for (struct score_row s = heads_first_row(d->block, sentence); s.h < d->block->heads;
	     heads_next_row(&s)) {
		if (!c->from)
			k_zero((size_t)s.keys, c->to + s.cell);
		distances_add_row(d, sentence, s.i, s.h, (c->from ? c->from : c->to) + s.cell,
				  c->to + s.cell);
	}
}

void
distances_to_cells(const struct distances *d, struct pass *p, const real *x, real *y)
{
	struct cells c = { d, x, y };

	heads_run(p, d->block->queries->n, 1, distances_add_sentence, &c);
}

/* The values of query i for head h = the sums of its cells. */
static void
distances_sum_row(const struct distances *d, int sentence, ptrdiff_t i, int h, const real *cell)
{
	const int keys = d->block->keys->len[sentence];
	real *value = values(d, sentence, i, h);

	if (!d->labels) {
		k_sum_by_distance(keys, distances_place(d->block, sentence, (int)i), d->reach, cell,
				  value);
		return;
	}
	k_zero((size_t)rows(d), value);
	if (d->labels->of[sentence])
		k_labels_back((size_t)keys, d->labels->of[sentence] + i * keys, rows(d), cell,
			      value);
}

static void
sum_sentence(void *arg, int sentence, real *room)
{
	const struct cells *c = arg;
	const struct distances *d = c->d;

	(void)room;
	for (struct score_row s = heads_first_row(d->block, sentence); s.h < d->block->heads;
	     heads_next_row(&s))
		distances_sum_row(d, sentence, s.i, s.h, c->from + s.cell);
}

void
distances_from_cells(const struct distances *d, struct pass *p, const real *cell)
{
	struct cells c = { d, cell, NULL };

	heads_run(p, d->block->queries->n, 1, sum_sentence, &c);
}
