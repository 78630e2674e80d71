/*
 * op: one differentiable operation, whole.
 *
 * Everything the project knows about an operation sits in one file,
 * common/ops/NAME.c, and leaves it through one constant, op_NAME.  The
 * Makefile finds the file; the tape, the gradient checker and the relevance
 * checker find the constant.  Nothing else needs to hear of it.
 */
#ifndef OP_H
#define OP_H

#include "tape/tape.h"

struct lrp {
	enum { LRP_EPSILON, LRP_ALPHABETA } rule;
	real eps, alpha, beta;
	enum { LRP_NORM_JACOBIAN, LRP_NORM_FROZEN_STD, LRP_NORM_IDENTITY } norm;
	unsigned attention_constant:1;	/* nothing through query and key */
	unsigned drop_bias:1;		/* a bias takes no share (methods 6.2) */
};

struct op_case;

struct op {
	const char *name;
	const char *formula;		/* shown by nmt-info --ops and in op(3) */
	unsigned flags;

	/* Sets n->n_dim, n->d, layouts ... from the inputs and arg; bug() if they do not fit. */
	void (*infer)(struct node *n, struct arena *mem);
	size_t (*saved)(const struct node *n);	/* bytes kept for the ways back; may be NULL */

	void (*forward)(struct node *n, struct pass *p);
	void (*gradient)(struct node *n, struct pass *p);	/* adds to in[i]->grad where in[i]->wants_grad */
	void (*relevance)(struct node *n, struct pass *p, const struct lrp *how);	/* adds to in[i]->rel */

	const struct op_case *cases;	/* what the checkers try; ends with {0} */
};

enum {
	OP_VIEW   = 1,	/* x points into an input: no memory of its own */
	OP_RANDOM = 2,	/* depends on seed and step when training */
	OP_LINEAR = 4,	/* in its first input */
	OP_LOSS   = 8	/* a scalar that ends a graph: no relevance */
};

extern const struct op *const ops[];	/* all of them, NULL at the end */

#endif
