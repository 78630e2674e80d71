/*
 * linear-relu: y = dropout(max(0, x w' + b)).
 *
 * Only y is stored.  Where it is 0, the input was negative or dropped, and the gradient is 0.
 * Elsewhere the gradient is scaled as the value was.
 */
#include "ops/kit/op-case.h"
#include "ops/linear.h"
#include "ops/ops.h"
#include "tensor/kernels.h"

struct linear_relu_arg { real p; };

struct linear_relu_job { struct node *n; struct dropout d; };

static void
linear_relu_finish(void *arg, int from, int to)
{
	const struct linear_relu_job *j = arg;
	const struct node *n = j->n;
	const real *b = n->in[2] ? n->in[2]->x : NULL;

	for (int r = from; r < to; r++) {
		real *y = n->x + (ptrdiff_t)r * n->ld;

		if (j->d.threshold)
			k_bias_relu_dropout(&j->d,
					    n->rows && n->rows->key ? n->rows->key[r] : (uint32_t)r,
					    n->d[1], b, y);
		else
			k_bias_relu(n->d[1], b, y);
	}
}

static struct dropout
linear_relu_mask_of(const struct node *n, const struct pass *p)
{
	struct dropout d;

	dropout_init(&d, p->seed, p->step, n->id,
		     p->training ? (double)((const struct linear_relu_arg *)n->arg)->p : 0);
	return d;
}

static void
linear_relu_forward(struct node *n, struct pass *p)
{
	struct linear_relu_job j = { n, linear_relu_mask_of(n, p) };

	linear_product(n, p, linear_relu_finish, &j);
}

struct back { const struct node *n; real *g, scale; const struct sums *sums; bf16 *g16; };

static void
linear_relu_back_rows(void *arg, int from, int to)
{
	const struct back *b = arg;
	const struct node *n = b->n;
	real *sums = sums_of(b->sums, from);
	int width = n->d[1];

	for (int r = from; r < to; r++) {
		const ptrdiff_t at = (ptrdiff_t)r * width;

		if (n->x16)
			k_linear_relu_back_bf16(width, b->scale, n->x16 + at, b->g + at, sums);
		else
			k_linear_relu_back(width, b->scale, n->x + at, b->g + at, sums);
		if (b->g16)
			k_to_bf16((size_t)width, b->g + at, b->g16 + at);
	}
}

static void
linear_relu_gradient(struct node *n, struct pass *p)
{
	struct sums s;
	struct back b = { n, grad_writable(p, n), linear_relu_mask_of(n, p).scale, &s,
			  linear_gradient_bf16(n, p) };
	real beta, *db = grad_of(p, n->in[2], &beta);

	sums_begin(&s, p, n->d[0], n->d[1]);
	sums_run(&s, p, linear_relu_back_rows, &b);
	if (db)
		sums_end(&s, p, beta, db);
	linear_add_gradients(n, p, b.g, n->ld, b.g16);
}

static struct node *
case_linear_relu_dropout(struct case_bench *b)
{
	struct node *x = case_rows(b, case_layout(b, CASE_SOURCE), 5);

	return op_linear_relu(case_tape(b), x, case_param(b, 2, 21, 5), case_param(b, 1, 21, 0),
			      (real)0.3);
}

static struct node *
case_linear_relu_plain(struct case_bench *b)
{
	struct node *x = case_rows(b, case_layout(b, CASE_SOURCE), 5);

	return op_linear_relu(case_tape(b), x, case_param(b, 2, 7, 5), NULL, 0);
}

static const struct op_case cases[] = {
	{ "bias and dropout", case_linear_relu_dropout, 0 },
	{ "neither", case_linear_relu_plain, 0 },
	{ 0 }
};

const struct op ops_linear_relu = {
	.name = "linear-relu",
	.formula = "y = dropout(max(0, x w' + b))",
	.flags = OP_RANDOM | OP_PLANES | OP_REPLACED | OP_READS_BF16,
	.infer = linear_infer,
	.forward = linear_relu_forward,
	.gradient = linear_relu_gradient,
	.relevance = linear_relevance,
	.cases = cases,
};

/* dropout(relu(x w' + b)) */
struct node *
op_linear_relu(struct tape *t, struct node *x, struct node *w, struct node *b, real p)
{
	struct linear_relu_arg a = { p };

	return tape_apply(t, &ops_linear_relu, 3, (struct node *[]){ x, w, b }, &a, sizeof(a));
}
