/*
 * gaussian: raises the scores of keys near a position that each query predicts.
 *
 * Yang et al. 2018, Modeling localness for self-attention networks: adds the logarithm of a
 * Gaussian whose center and width depend on the query.  The width may also be constant.
 */
#include "ops/kit/elementwise.h"
#include "ops/kit/heads.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"

struct gaussian_arg { real width; };

/* The center and width of each query and head. */
struct bell { real center, width; };

static bool
fits(const struct node *s, const struct node *x)
{
	return x->n_dim == 2 && x->d[0] == s->queries->rows && x->d[1] == s->heads;
}

static void
gaussian_infer(struct node *n, struct arena *mem)
{
	const struct node *s = n->in[0];

	(void)mem;
	if (!s->block || !fits(s, n->in[1]) || (n->in[2] && !fits(s, n->in[2])))
		bug_shapes(n);
	infer_like(n, s);
}

static size_t
gaussian_saved(const struct node *n)
{
	return (size_t)n->in[1]->d[0] * (size_t)n->heads * sizeof(struct bell);
}

static real
at(const struct node *x, ptrdiff_t r, ptrdiff_t h)
{
	return x->x[r * x->ld + h];
}

static struct bell *
bell_of(const struct node *n, ptrdiff_t r, ptrdiff_t h)
{
	return (struct bell *)n->saved + r * n->heads + h;
}

static real
gaussian_sigmoid(real x)
{
	real y;

	k_sigmoid(1, &x, &y);
	return y;
}

/* The minimum of a predicted width, as in the code of the authors. */
static const real min_width = (real)0.1;

static void
gaussian_forward_one(void *arg, int i, real *room)
{
	const struct node *n = arg;
	const real fixed = ((const struct gaussian_arg *)n->arg)->width;

	(void)room;
	for (struct score_row s = heads_first_row(n, i); s.h < n->heads; heads_next_row(&s)) {
		const ptrdiff_t r = n->queries->start[i] + s.i, h = s.h, S = s.keys, cell = s.cell;
		struct bell *b = bell_of(n, r, h);

		b->center = (real)(S - 1) * gaussian_sigmoid(at(n->in[1], r, h));
		b->width = n->in[2] ? (real)S * gaussian_sigmoid(at(n->in[2], r, h)) + min_width
				    : fixed;
		k_gaussian((int)S, b->center, b->width, n->in[0]->x + cell, n->x + cell);
	}
}

static void
gaussian_forward(struct node *n, struct pass *p)
{
	heads_run(p, n->queries->n, 1, gaussian_forward_one, n);
}

struct gaussian_job { struct node *n; real *center, *width, beta_center, beta_width; };

/* out = beta out + g times the derivative of x = max sigmoid(.), from x itself. */
static void
through_sigmoid(real g, real x, real max, real beta, real *out)
{
	real y = max > 0 ? x / max : 0;

	*out = g * max * y * (1 - y) + (beta != 0 ? beta * *out : 0);
}

static void
gaussian_gradient_one(void *arg, int i, real *room)
{
	const struct gaussian_job *j = arg;
	const struct node *n = j->n, *c = n->in[1], *w = n->in[2];

	(void)room;
	for (struct score_row s = heads_first_row(n, i); s.h < n->heads; heads_next_row(&s)) {
		const ptrdiff_t r = n->queries->start[i] + s.i, h = s.h, S = s.keys, cell = s.cell;
		const struct bell *b = bell_of(n, r, h);
		const struct gaussian_back g =
			k_gaussian_back((int)S, b->center, b->width, n->grad + cell);

		if (j->center)
			through_sigmoid(g.center, b->center, (real)(S - 1), j->beta_center,
					j->center + r * c->ld + h);
		if (j->width)
			through_sigmoid(g.width, b->width - min_width, (real)S, j->beta_width,
					j->width + r * w->ld + h);
	}
}

static void
gaussian_gradient(struct node *n, struct pass *p)
{
	struct gaussian_job j = { .n = n };

	j.center = grad_of(p, n->in[1], &j.beta_center);
	j.width = grad_of(p, n->in[2], &j.beta_width);
	heads_run(p, n->queries->n, 1, gaussian_gradient_one, &j);
	elementwise_pass(n, p, n->in[0]);
}

struct tracing { struct node *n; real *s, *center, *width; struct share share; };

/*
 * The score and the bias share the relevance by contribution; center and width each get half of the
 * share of the bias.
 */
static void
gaussian_trace_one(void *arg, int i, real *room)
{
	const struct tracing *t = arg;
	const struct node *n = t->n, *c = n->in[1], *w = n->in[2];

	(void)room;
	for (struct score_row s = heads_first_row(n, i); s.h < n->heads; heads_next_row(&s)) {
		const ptrdiff_t r = n->queries->start[i] + s.i, h = s.h, S = s.keys, cell = s.cell;
		real bias = 0;

		for (ptrdiff_t k = cell; k < cell + S; k++) {
			const real x[2] = { n->in[0]->x[k], n->x[k] - n->in[0]->x[k] };
			real rel[2] = { 0 };

			if (n->rel[k] == 0)
				continue;
			k_share(&t->share, 2, NULL, x, 0, n->rel[k], rel);
			t->s[k] += rel[0];
			bias += rel[1];
		}
		t->center[r * c->ld + h] += t->width ? bias / 2 : bias;
		if (t->width)
			t->width[r * w->ld + h] += bias / 2;
	}
}

static void
gaussian_relevance(struct node *n, struct pass *p, const struct lrp *lrp)
{
	struct tracing t = {
		n, rel_of(p, n->in[0]), rel_of(p, n->in[1]), rel_of(p, n->in[2]), lrp_share(lrp)
	};

	if (t.s && t.center)
		heads_run(p, n->queries->n, 1, gaussian_trace_one, &t);
}

static struct node *
case_both(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *l = case_layout(b, CASE_SOURCE);
	struct node *s = op_scores(t, case_rows(b, l, 6), case_rows(b, l, 6), l, l, 2, 1, false);

	return op_gaussian(t, s, case_rows(b, l, 2), case_rows(b, l, 2), 0);
}

static struct node *
case_one(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	const struct layout *q = case_layout(b, CASE_TARGET), *k = case_layout(b, CASE_SOURCE);
	struct node *s = op_scores(t, case_rows(b, q, 6), case_rows(b, k, 6), q, k, 2, 1, false);
	struct node *x = case_rows(b, q, 5);
	struct node *y = op_gaussian(t, s, op_columns(t, x, 0, 2), op_columns(t, x, 2, 2), 0);

	return op_softmax(t, op_gaussian(t, y, op_columns(t, x, 3, 2), NULL, 2));
}

static const struct op_case cases[] = {
	{ "center and width of each query", case_both, 0 },
	{ "cross-attention, overlapping views, constant width, under a softmax", case_one, 0 },
	{ 0 }
};

const struct op ops_gaussian = {
	.name = "gaussian",
	.formula = "y_ij = s_ij - 2 ((j - (S-1) sigmoid(c_i)) / (S sigmoid(w_i) + 0.1))^2",
	.saved = gaussian_saved,
	.infer = gaussian_infer,
	.forward = gaussian_forward,
	.gradient = gaussian_gradient,
	.relevance = gaussian_relevance,
	.cases = cases,
};

/*
 * scores_ij - 2 ((j - P_i) / D_i)^2 for a sentence with S keys, with P_i = (S-1) sigmoid(center_i)
 * and D_i = S sigmoid(width_i) + 0.1.  center and width are [R,H].  If width is NULL, D_i = fixed.
 */
struct node *
op_gaussian(struct tape *t, struct node *scores, struct node *center, struct node *width,
	    real fixed)
{
	struct gaussian_arg a = { fixed };

	return tape_apply(t, &ops_gaussian, 3, (struct node *[]){ scores, center, width }, &a,
			  sizeof(a));
}
