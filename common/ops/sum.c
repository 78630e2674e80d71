/* sum: y = sum of x, a scalar. */
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/relevance-kernels.h"

static void
sum_infer(struct node *n, struct arena *mem)
{
	(void)n;
	(void)mem;
}

/* The lines of x: rows of a matrix, or all elements. */
static int
lines(const struct node *x, size_t *width)
{
	if (!x->block && x->n_dim == 2) {
		*width = (size_t)x->d[1];
		return x->d[0];
	}
	*width = node_size(x);
	return 1;
}

static void
sum_forward(struct node *n, struct pass *p)
{
	const struct node *x = n->in[0];
	size_t width;
	int rows = lines(x, &width);
	double sum = 0;

	(void)p;
	for (int r = 0; r < rows; r++)
		sum += k_sum(width, x->x + (ptrdiff_t)r * x->ld);
	*n->x = (real)sum;
}

struct fill { real value, beta; };

static void
run_fill(const void *arg, real *const *v, size_t n)
{
	const struct fill *f = arg;

	for (size_t i = 0; i < n; i++)
		v[0][i] = f->value + (f->beta != 0 ? v[0][i] : 0);
}

static void
sum_gradient(struct node *n, struct pass *p)
{
	struct fill f = { .value = *n->grad };
	real *g = grad_of(p, n->in[0], &f.beta);

	if (g)
		pass_elements(p, 1, &g, (const struct node *[]){ n->in[0] }, run_fill, &f);
}

/* All elements form one unit. */
static void
sum_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	const struct node *x = n->in[0];
	real *to = rel_of(p, n->in[0]), *all, *rel;
	struct share s = lrp_share(lrp);
	size_t width;
	int rows = lines(x, &width);

	if (!to)
		return;
	all = ARENA_ARRAY(p->scratch, real, node_size(x));
	rel = arena_zero(p->scratch, node_size(x) * sizeof(*rel));
	for (int r = 0; r < rows; r++)
		k_copy(width, x->x + (ptrdiff_t)r * x->ld, all + (size_t)r * width);
	k_share(&s, (int)node_size(x), NULL, all, 0, *n->rel, rel);
	for (int r = 0; r < rows; r++) {
		real *line = to + (ptrdiff_t)r * x->ld;

		k_add(width, line, rel + (size_t)r * width, line);
	}
}

static struct node *
case_sum_matrix(struct case_bench *b)
{
	return op_sum(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 5));
}

static struct node *
case_sum_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);

	return op_sum(t, op_columns(t, case_rows(b, case_layout(b, CASE_SOURCE), 6), 1, 3));
}

static const struct op_case cases[] = {
	{ "a matrix", case_sum_matrix, CASE_ONE_BATCH },
	{ "a view", case_sum_view, CASE_ONE_BATCH },
	{ 0 }
};

const struct op ops_sum = {
	.name = "sum",
	.formula = "y = sum of x",
	.flags = OP_LINEAR,
	.infer = sum_infer,
	.forward = sum_forward,
	.gradient = sum_gradient,
	.relevance = sum_relevance,
	.cases = cases,
};

/* The sum of all elements, a scalar. */
struct node *
op_sum(struct tape *t, struct node *a)
{
	return tape_apply(t, &ops_sum, 1, &a, NULL, 0);
}
