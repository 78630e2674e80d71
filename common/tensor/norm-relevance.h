/* norm-relevance: what kernels-norm-relevance.c leaves to vectors. */
#ifndef NORM_RELEVANCE_H
#define NORM_RELEVANCE_H

#include "tensor/real.h"

/* Coefficients of a polynomial; planes are filled up to a multiple of SIDE. */
enum { NORM_TERMS = 3, NORM_SIDE = 8 };

/* From some place of the order on, output j's part in the coefficients is another by these. */
struct norm_change { double by[NORM_TERMS]; int j, next; };

/* Inputs in their order, and what changes before each of them. */
struct norm_sweep {
	int n, planes;
	const int *order;		/* [n] */
	const double *u;		/* [n] in that order */
	const int *first;		/* [n] of each place, the first in its list of changes, or -1 */
	const struct norm_change *change;
	const double *c;		/* [n, planes] relevance of outputs */
	const double *own;		/* [n] what an output's own input gets of 1 besides */
	real *out;			/* [n, planes] what inputs get, in their order */
};

#endif
