/*
 * elementwise: ops that compute each element of the result from the same element of one input.
 *
 * Such an op consists of two functions over arrays, which op_NAME() passes to its node.  Its infer,
 * forward and gradient are the functions below, and its relevance is relevance_identity().
 */
#ifndef ELEMENTWISE_H
#define ELEMENTWISE_H

#include "tape/op.h"

/* A function whose two functions are kernels (tensor/kernels.h). */
struct element_kernels {
	void (*run)(size_t n, const real *x, real *y);
	void (*back)(size_t n, const real *x, const real *g, real beta, real *dx);
	bool by_result;			/* back has y in the place of x */
};

/* The argument of a node, and of both functions. */
struct elementwise {
	element_work *run;		/* v is x, y: computes y */
	element_work *back;		/* v is x, y, dy, dx: computes dx = y'(x) dy + beta dx */
	real param;			/* a parameter of the op, or 0 */
	real beta;			/* for back; dx is uninitialized if it is 0 */
	struct element_kernels kernels;	/* of elementwise_by_kernels() */
};

/* Applies an op.  `element` is copied. */
struct node *elementwise_apply(struct tape *t, const struct op *op, struct node *x,
			       const struct elementwise *element);
struct node *elementwise_by_kernels(struct tape *t, const struct op *op, struct node *x,
				    struct element_kernels kernels);

/* Members of struct op. */
void elementwise_infer(struct node *n, struct arena *mem);
void elementwise_forward(struct node *n, struct pass *p);
void elementwise_gradient(struct node *n, struct pass *p);

/*
 * Functions for other ops.  elementwise_plus() is an element_work for pass_elements(): v is x, y,
 * and `arg` points to beta; y = x + beta y.  The other functions pass n->grad, unchanged, to an
 * input of the same shape: elementwise_add() adds it, elementwise_pass() moves it if possible, and
 * must be its last use.
 */
void elementwise_plus(const void *arg, real *const *v, size_t n);
void elementwise_add(struct node *n, struct pass *p, struct node *input);
void elementwise_pass(struct node *n, struct pass *p, struct node *input);

/* Inputs of test cases (op-case.h): a matrix, and a view of some columns of a matrix. */
struct case_bench;
struct node *elementwise_matrix(struct case_bench *b);
struct node *elementwise_view(struct case_bench *b);

#endif
