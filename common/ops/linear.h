/*
 * linear: the parts of the operation y = x w' + b, for other ops that begin with it.  Such an op
 * needs the flags OP_READS_BF16 and OP_PLANES (tape/op.h).
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
/* Computes n->x = x w'.  `finish` is called, with `arg`, for rows as soon as they are computed. */
void linear_product(struct node *n, struct pass *p, product_finish *finish, void *arg);
/*
 * Scratch memory [R,E] for the gradient of y in bf16, which both products of the backward pass
 * read; NULL if the back end does not read bf16.
 */
bf16 *linear_gradient_bf16(const struct node *n, struct pass *p);
/*
 * Adds the gradients of x and w from that of y, g [R,E], rows ld apart.  `g16` is NULL, or
 * linear_gradient_bf16() with the rounded gradient.  Ignores b.
 */
void linear_add_gradients(struct node *n, struct pass *p, const real *g, int ld, const bf16 *g16);
/*
 * Distributes the relevance of each output over the inputs of its row, with the bias spread over
 * them.
 */
void linear_relevance(struct node *n, struct pass *p, const struct lrp *lrp);

#endif
