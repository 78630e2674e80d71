/*
 * linear: the parts of the operation y = x w' + b, for other ops that begin with a linear layer.
 * An op that uses them needs the flags OP_READS_BF16 and OP_PLANES (tape/op.h).  R is the number of
 * rows, D the width of x, and E that of y.
 */
#ifndef LINEAR_H
#define LINEAR_H

#include "tape/op.h"
#include "tensor/product.h"

/*
 * Sets the shape of n to [R,E].  n->in[0] is x [R,D], n->in[1] is w [E,D], and n->in[2] is b [E] or
 * NULL.
 */
void linear_infer(struct node *n, struct arena *mem);
/*
 * Computes n->x = x w', without b.  `finish` is called, with `arg`, for ranges of rows as soon as
 * they are computed (tensor/product.h); it may be NULL.
 */
void linear_product(struct node *n, struct pass *p, product_finish *finish, void *arg);
/*
 * Returns memory [R,E] of the pass for the gradient of y in bf16, which both matrix products of the
 * backward pass read.  The caller rounds the gradient into it.  NULL if the back end does not read
 * bf16.
 */
bf16 *linear_gradient_bf16(const struct node *n, struct pass *p);
/*
 * Adds the gradients of x and w, but not that of b, for the gradient g [R,E] of y, whose rows are
 * `ld` elements apart.  `g16` is the rounded gradient in the memory of linear_gradient_bf16(), or
 * NULL.
 */
void linear_add_gradients(struct node *n, struct pass *p, const real *g, int ld, const bf16 *g16);
/*
 * Distributes the relevance of each output over the elements of x in its row, and treats the bias
 * as lrp->bias says.
 */
void linear_relevance(struct node *n, struct pass *p, const struct lrp *lrp);

#endif
