/*
 * norm-relevance: the part of kernels/kernels-norm-relevance.c that is computed in vectors.  That
 * file explains the method: the relevance of input i of a layer norm is a quadratic polynomial in
 * its normalized value u_i, whose coefficients are sums over the outputs.
 */
#ifndef NORM_RELEVANCE_H
#define NORM_RELEVANCE_H

#include "tensor/real.h"

/*
 * NORM_TERMS is the number of coefficients, of 1, u and u^2.  NORM_SIDE is the number of planes
 * that are computed together; the number of planes, one for each seed, is padded to a multiple of
 * it.
 */
enum { NORM_TERMS = 3, NORM_SIDE = 8 };

/*
 * A change of the coefficients by output j, which applies to all inputs from one on in the order of
 * u.  Its relevance times `by` is added to the coefficients.  `next` is the index of the next
 * change that begins at the same input, or -1.
 */
struct norm_change { double by[NORM_TERMS]; int j, next; };

/* The inputs in ascending order of u, and the changes that begin at each of them. */
struct norm_sweep {
	int n, planes;			/* elements of the row; planes */
	const int *order;		/* [n] index of each input, in the order of u */
	const double *u;		/* [n] normalized values in this order */
	const int *first;		/* [n] the first change that begins at each input, or -1 */
	const struct norm_change *change;	/* all changes, to which `first` and `next` are
						 * indices */
	const double *c;		/* [n, planes] relevance of the outputs, by index */
	const double *own;		/* [n] share of input j in output j, in addition to the
					 * polynomial */
	real *out;			/* [n, planes] result: relevance of the inputs, in the order
					 * of u */
};

#endif
