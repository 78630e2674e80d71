/* normal: layer normalisation's ways back, for the ops that end with one. */
#ifndef NORMAL_H
#define NORMAL_H

#include "tape/op.h"
#include "tensor/kernels.h"

/* Row r of what is normalised: written to, or found elsewhere; returns where it is. */
typedef const real *normal_row(const struct node *n, const void *arg, int r, real *room);

struct normal {
	struct node *n;			/* saved: struct norm_row [R] */
	struct node *gain, *bias;
	normal_row *row;
	const void *arg;
};

/*
 * to[R,D] (rows ld apart) = gradient of what is normalised + beta to; gain and bias get theirs.
 * to may be NULL, and may be g.
 */
void normal_gradient(const struct normal *m, struct pass *p, const real *g, real beta, real *to, int ld);
/* Adds the relevance of what is normalised to to, [R,D] a plane, dense; for OP_PLANES. */
void normal_relevance(const struct normal *m, struct pass *p, const struct lrp *how, real *to);

#endif
