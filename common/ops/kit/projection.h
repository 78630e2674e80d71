/*
 * projection: y = x w' + b with gradient and relevance, for ops that begin with one.  Such an op
 * has OP_READS_BF16.
 */
#ifndef PROJECTION_H
#define PROJECTION_H

#include "tape/op.h"
#include "tensor/product.h"

/* in[0] is x [R,D], in[1] w [E,D], in[2] b [E] or NULL; n becomes [R,E]. */
void projection_infer(struct node *n);
/* n->x = x w'.  `finish` is called for rows as they are completed. */
void projection_forward(struct node *n, struct pass *p, product_finish *finish, void *arg);
/*
 * Scratch memory [R,E] for the gradient of y in bf16, which both products of the backward pass
 * read; NULL if the back end does not read bf16.
 */
bf16 *projection_room(const struct node *n, struct pass *p);
/*
 * Adds the gradients of x and w from that of y, g [R,E], rows ld apart.  `g16` is NULL, or
 * projection_room() with the rounded gradient.  Ignores b.
 */
void projection_gradient(struct node *n, struct pass *p, const real *g, int ld, const bf16 *g16);
/*
 * Distributes the relevance of each output over the inputs of its row, with the bias spread over
 * them.  For OP_PLANES.
 */
void projection_relevance(struct node *n, struct pass *p, const struct lrp *lrp);

#endif
