/*
 * hard-concrete: gates in [0, 1] from their log alpha, sampled in training; see
 * ops/kit/concrete-gate.h.
 */
#include <math.h>

#include "base/rng.h"
#include "ops/kit/concrete-gate.h"
#include "ops/kit/op-case.h"
#include "ops/ops.h"
#include "tape/op.h"

#ifndef OPS_H
struct gates { uint32_t place; bool round; };
#endif

static void
hard_concrete_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	if (n->in[0]->n_dim != 1)
		bug_shapes(n);
	infer_like(n, n->in[0]);
}

static size_t
hard_concrete_saved(const struct node *n)
{
	return (size_t)n->d[0] * sizeof(real);
}

/* Gate i uses the i-th random number at the address of its place. */
static void
hard_concrete_forward(struct node *n, struct pass *p)
{
	const struct gates *how = n->arg;
	real *slope = n->saved;
	struct rng r;

	rng_init(&r, p->seed, how->place, p->step);
	for (int i = 0; i < n->d[0]; i++) {
		const double x = (double)n->in[0]->x[i];
		struct hard_concrete g = p->training ? hard_concrete_sample(x, rng_uniform(&r))
						     : hard_concrete_test(x);

		if (how->round && !p->training)
			g = (struct hard_concrete){ g.gate >= 0.5, 0 };
		n->x[i] = (real)g.gate;
		slope[i] = (real)g.slope;
	}
}

static void
hard_concrete_gradient(struct node *n, struct pass *p)
{
	const real *slope = n->saved;
	real beta, *g = grad_of(p, n->in[0], &beta);

	for (int i = 0; g && i < n->d[0]; i++)
		g[i] = n->grad[i] * slope[i] + (beta != 0 ? beta * g[i] : 0);
}

static struct node *
case_gates(struct case_bench *b)
{
	return op_hard_concrete(case_tape(b), case_param(b, 1, 9, 0),
				&(struct gates){ .place = 5 });
}

static struct node *
case_hard_concrete_twice(struct case_bench *b)
{
	struct tape *t = case_tape(b);
	struct node *x = case_input(b, 1, 6, 0);

	return op_add(t, op_hard_concrete(t, x, &(struct gates){ .place = 1 }),
		      op_hard_concrete(t, x, &(struct gates){ .place = 2 }));
}

static const struct op_case cases[] = {
	{ "nine gates", case_gates, CASE_NO_RELEVANCE },
	{ "the same parameter at two places", case_hard_concrete_twice, 0 },
	{ 0 }
};

const struct op ops_hard_concrete = {
	.name = "hard-concrete",
	.formula = "y = clip(1.2 sigmoid((ln u - ln(1 - u) + x) / 0.33) - 0.1), "
		   "else clip(1.2 sigmoid(x) - 0.1)",
	.flags = OP_RANDOM,
	.infer = hard_concrete_infer,
	.saved = hard_concrete_saved,
	.forward = hard_concrete_forward,
	.gradient = hard_concrete_gradient,
	.relevance = relevance_identity,
	.cases = cases,
};

/*
 * Gates [H] from their log alpha.  In training they are samples, addressed by seed, step and place
 * and equal for all batches of an update; otherwise they are the test gates (concrete-gate.h),
 * rounded to 0 or 1 with round.
 */
struct node *
op_hard_concrete(struct tape *t, struct node *log_alpha, const struct gates *gates)
{
	return tape_apply(t, &ops_hard_concrete, 1, &log_alpha, gates, sizeof(*gates));
}
