/* projection: y = x w' + b and its ways back, for the ops that begin with one. */
#ifndef PROJECTION_H
#define PROJECTION_H

#include "tape/op.h"
#include "tensor/product.h"

/* in[0] x [R,D], in[1] w [E,D], in[2] b [E] or NULL; n becomes [R,E]. */
void projection_infer(struct node *n);
/* n->x = x w'; finish runs over the rows as they are done. */
void projection_forward(struct node *n, struct pass *p, product_finish *finish, void *arg);
/* Passes g [R,E], rows ld apart, on to x and w; b is the caller's. */
void projection_gradient(struct node *n, struct pass *p, const real *g, int ld);
/*
 * Each output's relevance is shared among the inputs of its row, the bias spread over them; for
 * OP_PLANES.
 */
void projection_relevance(struct node *n, struct pass *p, const struct lrp *how);

#endif
