/* sublayer: x + dropout(y), where a residual connection ends, for the ops that begin so. */
#ifndef SUBLAYER_H
#define SUBLAYER_H

#include "tape/op.h"
#include "tensor/kernels.h"

struct sublayer {
	struct node *n, *x, *y;
	struct dropout d;
};

/* Takes in[0] and in[1]; bug() if they differ in shape. */
void sublayer_infer(struct node *n);
struct sublayer sublayer_of(struct node *n, const struct pass *p, real prob);
/* Row r of x + dropout(y) into z. */
void sublayer_row(const struct sublayer *s, int r, real *z);
/* Passes g [R,D], dense, on to y, with the mask; and to x, if into_x. */
void sublayer_gradient(const struct sublayer *s, struct pass *p, const real *g, bool into_x);
/* Each pair of numbers shares the relevance rel, [R,D] a plane, dense; for OP_PLANES. */
void sublayer_relevance(const struct sublayer *s, struct pass *p, const struct lrp *how, const real *rel);

#endif
