/*
 * dropout: y = x mask, with masks addressed by row keys (Srivastava et al. 2014, scaled in
 * training).
 */
#include "base/pool.h"
#include "ops/kit/elementwise.h"
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"
#include "tensor/kernels.h"

struct dropout_arg { real p; };

struct dropout_job {
	const struct node *n;
	struct dropout d;
	const real *from;
	real *to, beta;
	int from_ld, to_ld, width;
	char *scratch;
	size_t stride;
};

static void
dropout_do_rows(void *arg, int from, int to)
{
	const struct dropout_job *j = arg;
	const struct layout *l = j->n->rows;

	for (int r = from; r < to; r++)
		k_dropout(&j->d, l && l->key ? l->key[r] : (uint32_t)r, j->width,
			  j->from + (ptrdiff_t)r * j->from_ld, j->beta,
			  j->to + (ptrdiff_t)r * j->to_ld);
}

/*
 * For blocks, row t of a sentence has heads * S columns, at index h * S + s, as in op_attention().
 */
static void
do_sentence(void *arg, int i, int thread)
{
	const struct dropout_job *j = arg;
	const struct layout *q = j->n->queries;
	int T = q->len[i], S = j->n->keys->len[i], H = j->n->heads;
	real *mask = (real *)(void *)(j->scratch + (size_t)thread * j->stride);

	for (int t = 0; t < T; t++) {
		int row = q->start[i] + t;

		k_dropout_mask(&j->d, q->key ? q->key[row] : (uint32_t)row, H * S, mask);
		for (int h = 0; h < H; h++) {
			ptrdiff_t at = j->n->block[i] + ((ptrdiff_t)h * T + t) * S;

			k_multiply((size_t)S, j->from + at, mask + h * S, j->beta, j->to + at);
		}
	}
}

static void
dropout_run(struct node *n, struct pass *p, struct dropout_job *j)
{
	dropout_init(&j->d, p->seed, p->step, n->id, ((const struct dropout_arg *)n->arg)->p);
	j->n = n;
	if (n->block) {
		j->scratch = pass_thread_scratch(
			p, (size_t)n->heads * (size_t)heads_longest(n->keys) * sizeof(real),
			&j->stride);
		pool_run(p->pool, n->queries->n, do_sentence, j);
		return;
	}
	j->width = n->n_dim ? n->d[n->n_dim - 1] : 1;
	pass_ranges(p, n->n_dim == 2 ? n->d[0] : 1, j->width, dropout_do_rows, j);
}

static int
active(const struct node *n, const struct pass *p)
{
	return p->training && ((const struct dropout_arg *)n->arg)->p > 0;
}

static void
dropout_forward(struct node *n, struct pass *p)
{
	struct node *x = n->in[0];
	struct dropout_job j = { .from = x->x, .to = n->x, .from_ld = x->ld, .to_ld = n->ld };

	if (active(n, p))
		dropout_run(n, p, &j);
	else
		pass_elements(p, 2, (real *[]){ x->x, n->x }, (const struct node *[]){ x, n },
			      elementwise_plus, &(real){ 0 });
}

static void
dropout_gradient(struct node *n, struct pass *p)
{
	struct node *x = n->in[0];
	struct dropout_job j = { .from = n->grad, .from_ld = n->ld, .to_ld = x->ld };

	if (!active(n, p))
		elementwise_pass(n, p, x);
	else if ((j.to = grad_of(p, x, &j.beta)))
		dropout_run(n, p, &j);
}

static struct node *
case_dropout_matrix(struct case_bench *b)
{
	return op_dropout(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 11), (real)0.3);
}

static struct node *
case_wide_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);

	return op_dropout(t, op_columns(t, case_rows(b, case_layout(b, CASE_SOURCE), 140), 3, 131),
			  (real)0.5);
}

static struct node *
case_blocks(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *q = case_layout(b, CASE_TARGET), *k = case_layout(b, CASE_SOURCE);
	struct node *s = op_scores(t, case_rows(b, q, 4), case_rows(b, k, 4), q, k, 2, 1, false);

	return op_dropout(t, s, (real)0.4);
}

static const struct op_case cases[] = {
	{ "a matrix", case_dropout_matrix, 0 },
	{ "a view of more than one chunk", case_wide_view, 0 },
	{ "blocks", case_blocks, 0 },
	{ 0 }
};

const struct op ops_dropout = {
	.name = "dropout",
	.formula = "y = x mask, P(mask = 0) = p, else 1 / (1 - p)",
	.flags = OP_LINEAR | OP_RANDOM | OP_SHIFTS,
	.infer = elementwise_infer,
	.forward = dropout_forward,
	.gradient = dropout_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/* Sets elements to 0 with probability p and divides the others by 1 - p, elementwise. */
struct node *
op_dropout(struct tape *t, struct node *a, real p)
{
	struct dropout_arg arg = { p };

	return tape_apply(t, &ops_dropout, 1, &a, &arg, sizeof(arg));
}
