/*
 * row-heads: products of the heads of a row, for ops that handle each row separately.
 *
 * Each of R rows has heads o [H,d], side by side, a vector x [d] and a vector a [H].  Each function
 * computes one of them from the other two, which also gives the gradients.
 */
#ifndef ROW_HEADS_H
#define ROW_HEADS_H

#include "tape/op.h"

/*
 * The function infer() of ops whose inputs are x or a of each row, and its heads: the shape of the
 * other one.
 */
void row_heads_infer(struct node *n, struct arena *mem);

struct row_heads {
	int rows, heads, d;
	real *o, *x, *a;
	int ldo, ldx, lda;		/* strides between rows */
	real alpha, beta;		/* beta 0: the result may be uninitialized */
};
/* a = alpha o x + beta a */
void row_heads_dots(const struct row_heads *r, struct pass *p);
/* x = alpha o' a + beta x */
void row_heads_sum(const struct row_heads *r, struct pass *p);
/* o = alpha a x' + beta o */
void row_heads_outer(const struct row_heads *r, struct pass *p);

#endif
