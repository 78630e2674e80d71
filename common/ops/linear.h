/*
 * linear: y = x w' + b, and its parts for other ops that begin with it.  Such an op has
 * OP_READS_BF16 and OP_PLANES.
 */
#ifndef LINEAR_H
#define LINEAR_H

#include "tape/op.h"
#include "tensor/product.h"

/* in[0] is x [R,D], in[1] w [E,D], in[2] b [E] or NULL; n becomes [R,E]. */
void linear_infer(struct node *n, struct arena *mem);
/* n->x = x w'.  `finish` is called for rows as they are completed. */
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
