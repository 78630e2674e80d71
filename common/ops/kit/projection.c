/* projection: y = x w' + b with gradient and relevance; see projection.h. */
#include "ops/kit/projection.h"

#include "ops/kit/units.h"

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
		.a = x->x, .a16 = x->x16, .lda = x->ld, .b = w->x, .ldb = w->ld,
		.c = n->x, .ldc = n->ld, .prepared = w->prepared,
	};

	if (!w->x && !w->prepared)
		bug("a narrow factor without its prepared values");
	product(p->backend, p->pool, p->scratch, &g, finish, arg);
}

bf16 *
projection_room(const struct node *n, struct pass *p)
{
	const unsigned caps = BACKEND_READS_BF16 | BACKEND_TRANSPOSES_BF16;

	return (p->backend->caps & caps) != caps ? NULL :
		ARENA_ARRAY(p->scratch, bf16, (size_t)n->d[0] * (size_t)n->d[1]);
}

void
projection_gradient(struct node *n, struct pass *p, const real *g, int ld, const bf16 *g16)
{
	struct node *x = n->in[0], *w = n->in[1];
	struct gemm dx = {
		.m = n->d[0], .n = x->d[1], .k = n->d[1], .alpha = 1, .a = g, .a16 = g16,
		.lda = g16 ? n->d[1] : ld, .b = w->x, .ldb = w->ld, .ldc = x->ld,
	};
	struct gemm dw = {
		.m = n->d[1], .n = x->d[1], .k = n->d[0], .trans_a = true, .alpha = 1,
		.a = g, .a16 = g16, .lda = dx.lda,
		.b = x->x, .b16 = x->x16, .ldb = x->ld, .ldc = w->ld,
	};

	dw.c = dw.k <= p->backend->adds_whole ? grad_of_whole(p, w, &dw.beta)
					      : grad_of(p, w, &dw.beta);
	if (dw.c)
		product(p->backend, p->pool, p->scratch, &dw, NULL, NULL);
	dx.c = grad_of(p, x, &dx.beta);
	if (dx.c)
		product(p->backend, p->pool, p->scratch, &dx, NULL, NULL);
}

void
projection_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct node *x = n->in[0], *w = n->in[1], *b = n->in[2];
	struct unit_row *row = ARENA_ARRAY(p->scratch, struct unit_row, n->d[0]);
	struct units u = {
		.inputs = x->d[1], .outputs = n->d[1], .rows = n->d[0], .planes = rel_planes(p),
		.row = row,
		.w = w->x, .ldw = w->ld,
		.bias = b && lrp->bias != LRP_BIAS_DROP ? b->x : NULL,
		.absorb = lrp->bias == LRP_BIAS_ABSORB, .share = lrp_share(lrp),
		.from = n->rel, .step_from = rel_step(n), .to = rel_of(p, x),
		.step_to = rel_step(x),
	};

	for (int r = 0; r < n->d[0]; r++)
		row[r] = (struct unit_row){
			x->x + (ptrdiff_t)r * x->ld, n->x + (ptrdiff_t)r * n->ld,
			(ptrdiff_t)r * n->ld, (ptrdiff_t)r * x->ld
		};
	if (u.to)
		units_relevance(&u, p);
}
