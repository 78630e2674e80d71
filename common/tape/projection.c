/* projection: see projection.h. */
#include "tape/projection.h"

#include "tensor/kernels.h"

void
projection_infer(struct node *n)
{
	const struct node *x = n->in[0], *w = n->in[1], *b = n->in[2];

	if (x->block || x->n_dim != 2 || w->n_dim != 2 || x->d[1] != w->d[1] ||
	    (b && (b->n_dim != 1 || b->d[0] != w->d[0])))
		bug_shapes(n);
	n->n_dim = 2;
	n->d[0] = x->d[0];
	n->d[1] = w->d[0];
	n->rows = x->rows;
}

void
projection_forward(struct node *n, struct pass *p, product_finish *finish, void *arg)
{
	const struct node *x = n->in[0], *w = n->in[1];
	const struct gemm g = {
		.m = n->d[0], .n = n->d[1], .k = x->d[1], .trans_b = true, .alpha = 1, .beta = 0,
		.a = x->x, .lda = x->ld, .b = w->x, .ldb = w->ld, .c = n->x, .ldc = n->ld, .prepared = w->prepared,
	};

	product(p->backend, p->pool, p->scratch, &g, finish, arg);
}

void
projection_gradient(struct node *n, struct pass *p, const real *g, int ld)
{
	struct node *x = n->in[0], *w = n->in[1];
	struct gemm dx = {
		.m = n->d[0], .n = x->d[1], .k = n->d[1], .alpha = 1,
		.a = g, .lda = ld, .b = w->x, .ldb = w->ld, .ldc = x->ld,
	};
	struct gemm dw = {
		.m = n->d[1], .n = x->d[1], .k = n->d[0], .trans_a = true, .alpha = 1,
		.a = g, .lda = ld, .b = x->x, .ldb = x->ld, .ldc = w->ld,
	};

	dw.c = grad_of(p, w, &dw.beta);
	if (dw.c)
		product(p->backend, p->pool, p->scratch, &dw, NULL, NULL);
	dx.c = grad_of(p, x, &dx.beta);
	if (dx.c)
		product(p->backend, p->pool, p->scratch, &dx, NULL, NULL);
}

struct job { const struct node *n; struct share share; const real *bias; real *to; };

static void
do_rows(void *arg, int from, int to)
{
	const struct job *j = arg;
	const struct node *n = j->n, *x = n->in[0], *w = n->in[1];

	for (int r = from; r < to; r++) {
		const real *rel = n->rel + (ptrdiff_t)r * n->ld;

		for (int e = 0; e < n->d[1]; e++)
			if (rel[e] != 0)
				k_share(&j->share, x->d[1], w->x + (ptrdiff_t)e * w->ld, x->x + (ptrdiff_t)r * x->ld,
					j->bias ? j->bias[e] : 0, rel[e], j->to + (ptrdiff_t)r * x->ld);
	}
}

void
projection_relevance(struct node *n, struct pass *p, const struct lrp *how)
{
	struct job j = { n, lrp_share(how), n->in[2] && !how->drop_bias ? n->in[2]->x : NULL, rel_of(p, n->in[0]) };

	if (j.to)
		pass_ranges(p, n->d[0], n->in[1]->d[1] * n->d[1], do_rows, &j);
}
