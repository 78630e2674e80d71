/* norm-relevance: the part of kernels-norm-relevance.c that is computed in vectors. */
#ifndef NORM_RELEVANCE_H
#define NORM_RELEVANCE_H

#include "tensor/real.h"

/* Coefficients of a polynomial; the number of planes is padded to a multiple of NORM_SIDE. */
enum { NORM_TERMS = 3, NORM_SIDE = 8 };

/*
 * A change of the contribution of output j to the coefficients, which begins at a position of the
 * order.  `next` is the next change at the same position, or -1.
 */
struct norm_change { double by[NORM_TERMS]; int j, next; };

/* The inputs in the order of u, and the changes that begin at each of them. */
struct norm_sweep {
	int n, planes;
	const int *order;		/* [n] */
	const double *u;		/* [n] in that order */
	const int *first;		/* [n] the first change at each position, or -1 */
	const struct norm_change *change;	/* all changes; `first` and `next` are indices */
	const double *c;		/* [n, planes] relevance of outputs */
	const double *own;		/* [n] the additional share of input j in output j */
	real *out;			/* [n, planes] relevance of the inputs, in order of u */
};

#endif
