/* sublayer: the residual connection x + dropout(y), for ops that begin with one. */
#ifndef SUBLAYER_H
#define SUBLAYER_H

#include "tape/op.h"
#include "tensor/relevance-kernels.h"

struct sublayer {
	struct node *n, *x, *y;
	struct dropout d;
	uint8_t *kept;			/* the mask of each row, which the forward pass draws */
};

/* Sets the shape of n from x = in[0] and y = in[1]; bug() if their shapes differ. */
void sublayer_infer(struct node *n);
/* Bytes of all masks.  They are part of what n saves. */
size_t sublayer_saved(const struct node *n, real prob);
struct sublayer sublayer_of(struct node *n, const struct pass *p, real prob, void *kept);
/* Draws the mask of row r, before its first use. */
void sublayer_draw(const struct sublayer *s, int r);
/* z = row r of x + dropout(y) */
void sublayer_row(const struct sublayer *s, int r, real *z);
/* Adds the gradient of y from g [R,D], dense, with the dropout mask; and of x if `into_x`. */
void sublayer_gradient(const struct sublayer *s, struct pass *p, const real *g, bool into_x);
/* Distributes rel, with planes like those of n->rel, over each pair of elements.  For OP_PLANES. */
void sublayer_relevance(const struct sublayer *s, struct pass *p, const struct lrp *lrp,
			const real *rel);

#endif
