/* average: replaces each row by the mean of the rows of its sentence. */
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

static void
average_infer(struct node *n, struct arena *mem)
{
	const struct node *x = n->in[0];

	(void)mem;
	if (x->block || x->n_dim != 2 || !x->rows)
		bug_shapes(n);
	infer_like(n, x);
	n->ld = n->d[1];
}

struct average_job {
	const struct node *n;
	const real *from;
	real *to, beta;
	int ld_from, ld_to;
	struct share share;
};

static void
average_mean_of(void *arg, int i, real *mean)
{
	const struct average_job *j = arg;
	const struct layout *l = j->n->rows;
	const size_t width = (size_t)j->n->d[1];
	const int end = l->start[i] + l->len[i];

	k_zero(width, mean);
	for (int r = l->start[i]; r < end; r++)
		k_add(width, mean, j->from + (ptrdiff_t)r * j->ld_from, mean);
	for (int r = l->start[i]; r < end; r++)
		k_axpby(width, 1 / (real)l->len[i], mean, j->beta, j->to + (ptrdiff_t)r * j->ld_to);
}

static void
average_run(struct pass *p, heads_work *work, struct average_job *j, int numbers)
{
	heads_run(p, j->n->rows->n, (size_t)numbers, work, j);
}

static void
average_forward(struct node *n, struct pass *p)
{
	struct average_job j = {
		.n = n, .from = n->in[0]->x, .ld_from = n->in[0]->ld, .to = n->x, .ld_to = n->ld
	};

	average_run(p, average_mean_of, &j, n->d[1]);
}

/* Each row of x contributes equally to all rows of y: its gradient is the mean of theirs. */
static void
average_gradient(struct node *n, struct pass *p)
{
	struct average_job j = { .n = n, .from = n->grad, .ld_from = n->ld, .ld_to = n->in[0]->ld };

	j.to = grad_of(p, n->in[0], &j.beta);
	if (j.to)
		average_run(p, average_mean_of, &j, n->d[1]);
}

/* Distributes the relevance of all rows of y over the rows of x, column by column. */
static void
share_sentence(void *arg, int i, real *room)
{
	const struct average_job *j = arg;
	const struct node *x = j->n->in[0];
	const int len = j->n->rows->len[i];
	const ptrdiff_t start = j->n->rows->start[i];
	real *by = room, *column = by + len, *rel = column + len;

	for (int c = 0; c < x->d[1]; c++) {
		real sum = 0;

		for (int r = 0; r < len; r++) {
			by[r] = 1 / (real)len;
			column[r] = x->x[(start + r) * x->ld + c];
			sum += j->n->rel[(start + r) * j->n->ld + c];
		}
		k_zero((size_t)len, rel);
		k_share(&j->share, len, by, column, 0, sum, rel);
		for (int r = 0; r < len; r++)
			j->to[(start + r) * x->ld + c] += rel[r];
	}
}

static void
average_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct average_job j = { .n = n, .to = rel_of(p, n->in[0]), .share = lrp_share(lrp) };

	if (j.to)
		average_run(p, share_sentence, &j, 3 * heads_longest(n->rows));
}

static struct node *
case_rows_of_sentences(struct case_bench *b)
{
	return op_average(case_tape(b), case_rows(b, case_layout(b, CASE_SOURCE), 5));
}

static struct node *
case_average_view(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = case_rows(b, case_layout(b, CASE_TARGET), 7);

	return op_add(t, op_average(t, op_columns(t, x, 2, 4)), op_columns(t, x, 0, 4));
}

static const struct op_case cases[] = {
	{ "sentences of different lengths", case_rows_of_sentences, 0 },
	{ "a view, used twice", case_average_view, 0 },
	{ 0 }
};

const struct op ops_average = {
	.name = "average",
	.formula = "y_r = the mean of x's rows in the sentence of row r",
	.flags = OP_LINEAR,
	.infer = average_infer,
	.forward = average_forward,
	.gradient = average_gradient,
	.relevance = average_relevance,
	.cases = cases,
};

/* Replaces each row by the mean of the rows of its sentence. */
struct node *
op_average(struct tape *t, struct node *x)
{
	return tape_apply(t, &ops_average, 1, &x, NULL, 0);
}
