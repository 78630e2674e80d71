/* gate: each head times its gate, which is the same for all rows. */
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"

static void
gate_infer(struct node *n, struct arena *mem)
{
	const struct node *x = n->in[0], *g = n->in[1];

	(void)mem;
	if (x->n_dim != 2 || x->block || g->n_dim != 1 || !g->d[0] || x->d[1] % g->d[0])
		bug_shapes(n);
	infer_like(n, x);
}

static int
head_dim(const struct node *n)
{
	return n->d[1] / n->in[1]->d[0];
}

/* to = gates times from + beta to, rows ld and ld_to apart. */
struct gating { const struct node *n; const real *from; int ld; real beta, *to; int ld_to; };

static void
gate_rows(void *arg, int from, int to)
{
	const struct gating *a = arg;
	const struct node *g = a->n->in[1];
	const int d = head_dim(a->n);

	for (ptrdiff_t r = from; r < to; r++)
		for (int h = 0; h < g->d[0]; h++)
			k_axpby((size_t)d, g->x[h], a->from + r * a->ld + (ptrdiff_t)h * d, a->beta,
				a->to + r * a->ld_to + (ptrdiff_t)h * d);
}

static void
gate_forward(struct node *n, struct pass *p)
{
	struct gating a = { n, n->in[0]->x, n->in[0]->ld, 0, n->x, n->ld };

	pass_ranges(p, n->d[0], n->d[1], gate_rows, &a);
}

struct products { const struct node *n; const struct sums *s; };

static void
add_products(void *arg, int from, int to)
{
	const struct products *a = arg;
	const struct node *n = a->n;
	real *sum = sums_of(a->s, from);

	for (ptrdiff_t r = from; r < to; r++)
		k_multiply((size_t)n->d[1], n->grad + r * n->ld, n->in[0]->x + r * n->in[0]->ld, 1,
			   sum);
}

/*
 * The gradient of a gate: the sum over rows and columns of its head of gradient times head output.
 */
static void
gates_gradient(const struct node *n, struct pass *p, real beta, real *dg)
{
	const int d = head_dim(n);
	real *column = ARENA_ARRAY(p->scratch, real, n->d[1]);
	struct sums s;
	struct products a = { n, &s };

	sums_begin(&s, p, n->d[0], n->d[1]);
	sums_run(&s, p, add_products, &a);
	sums_end(&s, p, 0, column);
	for (int h = 0; h < n->in[1]->d[0]; h++) {
		const real sum = (real)k_sum((size_t)d, column + (ptrdiff_t)h * d);

		dg[h] = beta == 0 ? sum : beta * dg[h] + sum;
	}
}

static void
gate_gradient(struct node *n, struct pass *p)
{
	real beta, *dg = grad_of(p, n->in[1], &beta);
	struct gating a = { n, n->grad, n->ld, 0, NULL, n->in[0]->ld };

	if (dg)
		gates_gradient(n, p, beta, dg);
	a.to = grad_of(p, n->in[0], &a.beta);
	if (a.to)
		pass_ranges(p, n->d[0], n->d[1], gate_rows, &a);
}

static struct node *
case_gate_heads(struct case_bench *b)
{
	return op_gate(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 12),
		       case_param(b, 1, 4, 0));
}

static struct node *
case_gate_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = op_columns(t, case_rows(b, case_layout(b, CASE_TARGET), 40), 3, 34);

	return op_gate(t, x, case_param(b, 1, 2, 0));
}

static const struct op_case cases[] = {
	{ "four heads", case_gate_heads, 0 },
	{ "two wide heads, a view", case_gate_view, 0 },
	{ 0 }
};

const struct op ops_gate = {
	.name = "gate",
	.formula = "y = g_h x of each head h, x [R,H*d], g [H]",
	.flags = OP_LINEAR,
	.infer = gate_infer,
	.forward = gate_forward,
	.gradient = gate_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* Each head of [R,H*d] times its gate of [H].  Gates receive no relevance. */
struct node *
op_gate(struct tape *t, struct node *heads, struct node *gates)
{
	return tape_apply(t, &ops_gate, 2, (struct node *[]){ heads, gates }, NULL, 0);
}
