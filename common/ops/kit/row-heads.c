/* row-heads: products of the heads of a row; see row-heads.h. */
#include "ops/kit/row-heads.h"

#include "tensor/kernels.h"

void
row_heads_infer(struct node *n, struct arena *mem)
{
	const struct node *y = n->in[0], *o = n->in[1];

	(void)mem;
	if (y->block || o->block || y->n_dim != 2 || o->n_dim != 2 || y->d[0] != o->d[0] ||
	    o->d[1] % y->d[1])
		bug_shapes(n);
	n->n_dim = 2;
	n->d[0] = y->d[0];
	n->d[1] = o->d[1] / y->d[1];
	n->rows = y->rows ? y->rows : o->rows;
}

static void
row_heads_run(const struct row_heads *r, struct pass *p, range_work *work)
{
	pass_ranges(p, r->rows, r->heads * r->d, work, (void *)(uintptr_t)r);
}

static void
dots(void *arg, int from, int to)
{
	const struct row_heads *r = arg;

	for (ptrdiff_t i = from; i < to; i++)
		k_small_dots(&(struct small){
			.m = 1, .n = r->heads, .k = r->d, .a = r->x + i * r->ldx, .ap = 1,
			.b = r->o + i * r->ldo, .ldb = r->d, .c = r->a + i * r->lda,
			.alpha = r->alpha, .beta = r->beta,
		});
}

void
row_heads_dots(const struct row_heads *r, struct pass *p)
{
	row_heads_run(r, p, dots);
}

static void
row_heads_sum_range(void *arg, int from, int to)
{
	const struct row_heads *r = arg;

	for (ptrdiff_t i = from; i < to; i++)
		k_small(&(struct small){
			.m = 1, .n = r->d, .k = r->heads, .a = r->a + i * r->lda, .ap = 1,
			.b = r->o + i * r->ldo, .ldb = r->d, .c = r->x + i * r->ldx,
			.alpha = r->alpha, .beta = r->beta,
		});
}

void
row_heads_sum(const struct row_heads *r, struct pass *p)
{
	row_heads_run(r, p, row_heads_sum_range);
}

static void
outer(void *arg, int from, int to)
{
	const struct row_heads *r = arg;

	for (ptrdiff_t i = from; i < to; i++)
		for (int h = 0; h < r->heads; h++)
			k_axpby((size_t)r->d, r->alpha * r->a[i * r->lda + h], r->x + i * r->ldx,
				r->beta, r->o + i * r->ldo + (ptrdiff_t)h * r->d);
}

void
row_heads_outer(const struct row_heads *r, struct pass *p)
{
	row_heads_run(r, p, outer);
}
