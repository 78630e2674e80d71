/*
 * normal: layer normalization with gradient and relevance, for ops that end with one.  Without a
 * bias it is root mean square normalization, x / sqrt(mean of x^2 + eps) gain.
 */
#ifndef NORMAL_H
#define NORMAL_H

#include "tape/op.h"
#include "tensor/relevance-kernels.h"

/* Returns row r of the input of the normalization, which it may compute in `scratch`. */
typedef const real *normal_row(const struct node *n, const void *arg, int r, real *scratch);

struct normal {
	struct node *n;			/* saved: struct norm_row [R] */
	struct node *gain, *bias;	/* bias may be NULL */
	normal_row *row;
	const void *arg;
};

/* Do the inputs fit a result of this width? */
bool normal_fits(const struct node *gain, const struct node *bias, int width);
/* y = the normalization of a row x of n elements. */
struct norm_row normal_of(int n, real eps, const real *x, const struct node *gain,
			  const struct node *bias, real *y);
/*
 * y [R,D] (rows ld apart) = gradient of the input of the normalization + beta y, from the
 * gradient g of its output.  Also adds the gradients of gain and bias.  y may be NULL, and may be
 * g.
 */
void normal_gradient(const struct normal *m, struct pass *p, const real *g, real beta, real *y,
		     int ld);
/* Adds the relevance of the input to y, with planes like those of n->rel.  For OP_PLANES. */
void normal_relevance(const struct normal *m, struct pass *p, const struct lrp *lrp, real *y);

#endif
