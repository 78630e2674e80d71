/*
 * top-k: gates that are nearly 1 for k elements and nearly 0 for all others: Gumbel soft top-k; Xie
 * and Ermon 2019, Reparameterizable subset sampling via continuous relaxations, as in Li, Cotterell
 * and Sachan 2021, Differentiable subset pruning of Transformer heads, section 4.
 *
 *	r_1 = x + Gumbel noise,		a_i = softmax(r_i / temperature),
 *	r_i+1 = r_i + ln(1 - a_i),	y = sum over i of a_i,	i = 1 ... k
 *
 * As the temperature falls, a_i becomes the one-hot vector of the i-th highest element of r_1, and
 * y sums to k at any temperature.  With `hard`, y is 1 for the k highest elements of r_1 and 0 for
 * all others, but has the gradient of the sum (straight-through).
 */
#include <float.h>
#include <math.h>

#include "base/arena.h"
#include "base/rng.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"

#ifndef OPS_H
struct top_k { uint32_t place; int k, from, n; double temperature; bool hard; };
#endif

static void
top_k_infer(struct node *n, struct arena *mem)
{
	const struct top_k *how = n->arg;
	const struct node *x = n->in[0];

	(void)mem;
	if (x->n_dim != 1 || how->from < 0 || how->n < 1 || how->n > x->d[0] - how->from ||
	    how->k < 1 || how->k > x->d[0] || !(how->temperature > 0))
		bug_shapes(n);
	n->n_dim = 1;
	n->d[0] = how->n;
}

/* a_1 ... a_k, each with all elements of x. */
static size_t
top_k_saved(const struct node *n)
{
	const struct top_k *how = n->arg;

	return (size_t)how->k * (size_t)n->in[0]->d[0] * sizeof(double);
}

static void
perturb(const struct node *n, const struct pass *p, double *r)
{
	const struct top_k *how = n->arg;
	struct rng noise;

	rng_init(&noise, p->seed, how->place, p->step);
	for (int i = 0; i < n->in[0]->d[0]; i++) {
		const double u = DBL_MIN + (1 - DBL_MIN) * rng_uniform(&noise);

		r[i] = (double)n->in[0]->x[i] - (p->training ? log(-log(u)) : 0);
	}
}

static void
soften(int n, const double *r, double temperature, double *a)
{
	double highest = -INFINITY, sum = 0;

	for (int i = 0; i < n; i++)
		highest = fmax(highest, r[i]);
	for (int i = 0; i < n; i++)
		sum += a[i] = exp((r[i] - highest) / temperature);
	for (int i = 0; i < n; i++)
		a[i] /= sum;
}

/* 1 - a[i], as a sum, because a[i] may be almost 1; at least the smallest positive number. */
static double
others(int n, const double *a, int i)
{
	double sum = 0;

	for (int j = 0; j < n; j++)
		sum += j == i ? 0 : a[j];
	return fmax(sum, DBL_MIN);
}

/* Whether element i is among the k highest; of equal ones, the first are. */
static bool
is_high(int n, const double *r, int i, int k)
{
	int higher = 0;

	for (int j = 0; j < n; j++)
		higher += r[j] > r[i] || (r[j] == r[i] && j < i);
	return higher < k;
}

static void
top_k_forward(struct node *n, struct pass *p)
{
	const struct top_k *how = n->arg;
	const int all = n->in[0]->d[0];
	double *r = ARENA_ARRAY(p->scratch, double, all);
	double *y = arena_zero(p->scratch, (size_t)all * sizeof(*y)), *a = n->saved;

	perturb(n, p, r);
	for (int i = how->from; how->hard && i < how->from + how->n; i++)
		n->x[i - how->from] = is_high(all, r, i, how->k);
	for (int s = 0; s < how->k; s++, a += all) {
		soften(all, r, how->temperature, a);
		for (int i = 0; i < all; i++) {
			y[i] += a[i];
			r[i] += log(others(all, a, i));
		}
	}
	for (int i = how->from; !how->hard && i < how->from + how->n; i++)
		n->x[i - how->from] = (real)y[i];
}

/*
 * One step back: dr, the gradient of r_i+1, becomes that of r_i.  g is the gradient of y.  The
 * derivative of the softmax is summed over differences, which are exact where a is almost 0 or 1.
 */
static void
step_back(int n, const double *a, const double *g, double temperature, double *da, double *dr)
{
	for (int i = 0; i < n; i++)
		da[i] = g[i] - dr[i] / others(n, a, i);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			dr[i] += a[i] * a[j] * (da[i] - da[j]) / temperature;
}

static void
top_k_gradient(struct node *n, struct pass *p)
{
	const struct top_k *how = n->arg;
	const int all = n->in[0]->d[0];
	const size_t size = (size_t)all * sizeof(double);
	double *g = arena_zero(p->scratch, size), *dr = arena_zero(p->scratch, size);
	double *da = ARENA_ARRAY(p->scratch, double, all);
	const double *a = n->saved;
	real beta, *dx = grad_of(p, n->in[0], &beta);

	if (!dx)
		return;
	for (int i = 0; i < how->n; i++)
		g[how->from + i] = (double)n->grad[i];
	for (int s = how->k; s-- > 0;)
		step_back(all, a + (ptrdiff_t)s * all, g, how->temperature, da, dr);
	for (int i = 0; i < all; i++)
		dx[i] = (real)dr[i] + (beta != 0 ? beta * dx[i] : 0);
}

static struct node *
case_top_k_all(struct case_bench *b)
{
	return op_top_k(case_tape(b), case_param(b, 1, 7, 0),
			&(struct top_k){ .place = 5, .k = 3, .n = 7, .temperature = 0.7 });
}

static struct node *
case_some(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = case_param(b, 1, 9, 0);
	struct top_k how = { .place = 5, .k = 2, .n = 4, .temperature = 3 };
	struct node *first = op_top_k(t, x, &how);

	how.from = 5;
	return op_add(t, first, op_top_k(t, x, &how));
}

static struct node *
case_cold(struct case_bench *b)
{
	return op_top_k(case_tape(b), case_param(b, 1, 6, 0),
			&(struct top_k){ .place = 2, .k = 6, .n = 6, .temperature = 0.2 });
}

static const struct op_case cases[] = {
	{ "three of seven", case_top_k_all, CASE_NO_RELEVANCE },
	{ "two parts of the gates", case_some, CASE_NO_RELEVANCE },
	{ "all of six, at a low temperature", case_cold, CASE_NO_RELEVANCE },
	{ 0 }
};

const struct op ops_top_k = {
	.name = "top-k",
	.formula = "y = sum over k steps of softmax(r / temperature), r + ln(1 - softmax) next",
	.flags = OP_RANDOM,
	.infer = top_k_infer,
	.saved = top_k_saved,
	.forward = top_k_forward,
	.gradient = top_k_gradient,
	.relevance = relevance_none,
	.cases = cases,
};

/*
 * Elements [from, from + n) of the soft top-k gates of a vector.  In training the vector is
 * perturbed by noise, which is addressed by seed, step and place and is equal for all batches of an
 * update and all parts of a vector.
 */
struct node *
op_top_k(struct tape *t, struct node *x, const struct top_k *top_k)
{
	return tape_apply(t, &ops_top_k, 1, &x, top_k, sizeof(*top_k));
}
