/* linear: y = x w' + b. */
#include "ops/kit/op-case.h"
#include "ops/kit/units.h"
#include "ops/linear.h"
#include "ops/ops.h"
#include "tape/params.h"
#include "tensor/kernels.h"

void
linear_infer(struct node *n, struct arena *mem)
{
	const struct node *x = n->in[0], *w = n->in[1], *b = n->in[2];

	(void)mem;
	if (x->block || x->n_dim != 2 || w->n_dim != 2 || x->d[1] != w->d[1] ||
	    (b && (b->n_dim != 1 || b->d[0] != w->d[0])))
		bug_shapes(n);
	n->n_dim = 2;
	n->d[0] = x->d[0];
	n->d[1] = w->d[0];
	n->rows = x->rows;
}

void
linear_product(struct node *n, struct pass *p, product_finish *finish, void *arg)
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

static void
linear_add_bias(void *arg, int from, int to)
{
	const struct node *n = arg;

	for (int r = from; r < to; r++)
		k_bias(n->d[1], n->in[2]->x, n->x + (ptrdiff_t)r * n->ld);
}

static void
linear_forward(struct node *n, struct pass *p)
{
	linear_product(n, p, n->in[2] ? linear_add_bias : NULL, n);
}

bf16 *
linear_gradient_bf16(const struct node *n, struct pass *p)
{
	const unsigned caps = BACKEND_READS_BF16 | BACKEND_TRANSPOSES_BF16;

	return (p->backend->caps & caps) != caps ? NULL :
		ARENA_ARRAY(p->scratch, bf16, (size_t)n->d[0] * (size_t)n->d[1]);
}

void
linear_add_gradients(struct node *n, struct pass *p, const real *g, int ld, const bf16 *g16)
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

struct back { const struct node *n; const struct sums *sums; bf16 *g16; };

static void
linear_bias_gradient(void *arg, int from, int to)
{
	const struct back *b = arg;
	const struct node *n = b->n;
	const size_t width = (size_t)n->d[1];
	real *sum = sums_of(b->sums, from);

	for (int r = from; r < to; r++) {
		const real *g = n->grad + (ptrdiff_t)r * n->ld;

		k_add(width, sum, g, sum);
		if (b->g16)
			k_to_bf16(width, g, b->g16 + (size_t)r * width);
	}
}

static void
linear_gradient(struct node *n, struct pass *p)
{
	struct sums s;
	struct back b = { n, &s, linear_gradient_bf16(n, p) };
	real beta, *db = grad_of(p, n->in[2], &beta);

	if (db || b.g16) {
		sums_begin(&s, p, n->d[0], n->d[1]);
		sums_run(&s, p, linear_bias_gradient, &b);
	}
	if (db)
		sums_end(&s, p, beta, db);
	linear_add_gradients(n, p, n->grad, n->ld, b.g16);
}

/* The weights [E,D], also if they are narrow. */
static const real *
linear_weights(const struct node *w, struct arena *mem)
{
	const ptrdiff_t width = w->d[1];
	real *wide;

	if (!w->narrow)
		return w->x;
	wide = ARENA_ARRAY(mem, real, (ptrdiff_t)w->d[0] * width);
	for (int r = 0; r < w->d[0]; r++)
		param_row(w->narrow, r, wide + r * width);
	return wide;
}

void
linear_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct node *x = n->in[0], *w = n->in[1], *b = n->in[2];
	struct unit_row *row = ARENA_ARRAY(p->scratch, struct unit_row, n->d[0]);
	struct units u = {
		.inputs = x->d[1], .outputs = n->d[1], .rows = n->d[0], .planes = rel_planes(p),
		.row = row,
		.w = linear_weights(w, p->scratch), .ldw = w->narrow ? w->d[1] : w->ld,
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

static struct node *
case_bias(struct case_bench *b)
{
	struct node *x = case_rows(b, case_layout(b, CASE_SOURCE), 5);

	return op_linear(case_tape(b), x, case_param(b, 2, 7, 5), case_param(b, 1, 7, 0));
}

static struct node *
case_linear_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = op_columns(t, case_rows(b, case_layout(b, CASE_SOURCE), 24), 3, 19);

	return op_linear(t, x, case_param(b, 2, 4, 19), NULL);
}

static struct node *
case_linear_shared(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *w = case_param(b, 2, 5, 5), *x = case_rows(b, case_layout(b, CASE_SOURCE), 5);

	return op_linear(t, op_linear(t, x, w, NULL), w, NULL);
}

static const struct op_case cases[] = {
	{ "a bias", case_bias, 0 },
	{ "a view, no bias", case_linear_view, 0 },
	{ "one weight used twice", case_linear_shared, 0 },
	{ 0 }
};

const struct op ops_linear = {
	.name = "linear",
	.formula = "y = x w' + b",
	.flags = OP_LINEAR | OP_PLANES | OP_REPLACED | OP_READS_BF16,
	.infer = linear_infer,
	.forward = linear_forward,
	.gradient = linear_gradient,
	.relevance = linear_relevance,
	.cases = cases,
};

/* x w' + b; b may be NULL */
struct node *
op_linear(struct tape *t, struct node *x, struct node *w, struct node *b)
{
	return tape_apply(t, &ops_linear, 3, (struct node *[]){ x, w, b }, NULL, 0);
}
