/*
 * planted: ops y = a + b with a defect each, for tests/cli/op-checker.t, which checks that the op
 * checkers find it.  Each test file is one program and includes this at most once.
 */
#ifndef PLANTED_H
#define PLANTED_H

#include "ops/kit/op-case.h"
#include "tape/op.h"
#include "tensor/kernels.h"

static void
planted_infer(struct node *n, struct arena *mem)
{
	(void)mem;
	infer_like(n, n->in[0]);
}

static void
planted_forward(struct node *n, struct pass *p)
{
	(void)p;
	k_add(node_size(n), n->in[0]->x, n->in[1]->x, n->x);
}

/* The gradient of input i with this beta, or with the right one if beta is negative. */
static void
planted_send(struct node *n, struct pass *p, int i, real beta)
{
	real right, *to = grad_of(p, n->in[i], &right);

	if (to)
		k_axpby(node_size(n), 1, n->grad, beta < 0 ? right : beta, to);
}

static void
overwriting_gradient(struct node *n, struct pass *p)
{
	planted_send(n, p, 0, 0);
	planted_send(n, p, 1, -1);
}

static void
adding_gradient(struct node *n, struct pass *p)
{
	planted_send(n, p, 0, -1);
	planted_send(n, p, 1, 1);
}

/* b receives its gradient only if a needs one. */
static void
joint_gradient(struct node *n, struct pass *p)
{
	real beta;

	if (!grad_of(p, n->in[0], &beta))
		return;
	k_axpby(node_size(n), 1, n->grad, beta, n->in[0]->grad);
	planted_send(n, p, 1, -1);
}

static void
right_gradient(struct node *n, struct pass *p)
{
	planted_send(n, p, 0, -1);
	planted_send(n, p, 1, -1);
}

/* Moves all relevance to a, where it overwrites what is there. */
static void
overwriting_relevance(struct node *n, struct pass *p, const struct lrp *how)
{
	(void)how;
	k_copy(node_size(n), n->rel, rel_of(p, n->in[0]));
}

#define PLANTED_OP(what, back, relevant) \
	extern const struct op planted_##what; \
	static struct node *what##_case(struct case_bench *b) \
	{ \
		struct node *in[] = { case_input(b, 2, 3, 4), case_input(b, 2, 3, 4) }; \
		return tape_apply(case_tape(b), &planted_##what, 2, in, NULL, 0); \
	} \
	static const struct op_case what##_cases[] = { { "a sum", what##_case, 0 }, { 0 } }; \
	const struct op planted_##what = { \
		.name = "planted-" #what, .formula = "y = a + b", .infer = planted_infer, \
		.forward = planted_forward, .gradient = back, .relevance = relevant, \
		.cases = what##_cases }

PLANTED_OP(overwrites, overwriting_gradient, relevance_none);
PLANTED_OP(adds, adding_gradient, relevance_none);
PLANTED_OP(joint, joint_gradient, relevance_none);
PLANTED_OP(relevance, right_gradient, overwriting_relevance);

#endif
