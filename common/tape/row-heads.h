/*
 * row-heads: what ops share that take a row's heads one by one.
 *
 * In each of R rows stand heads o [H,d], side by side, a vector x [d] and numbers a [H]; each
 * function computes one of them from the other two, and so is what the gradients of the others
 * need.
 */
#ifndef ROW_HEADS_H
#define ROW_HEADS_H

#include "tape/op.h"

struct row_heads {
	int rows, heads, d;
	real *o, *x, *a;
	int ldo, ldx, lda;		/* from one row to the next */
	real alpha, beta;		/* beta 0: what is there is not read */
};
/* a = alpha o x + beta a */
void row_heads_dots(const struct row_heads *r, struct pass *p);
/* x = alpha o' a + beta x */
void row_heads_sum(const struct row_heads *r, struct pass *p);
/* o = alpha a x' + beta o */
void row_heads_outer(const struct row_heads *r, struct pass *p);

#endif
