/*
 * optimizer: Adam (Kingma and Ba 2015, algorithm 1) over all parameters that are trained.
 *
 *	m = beta1 m + (1 - beta1) g         v = beta2 v + (1 - beta2) g^2
 *	x = x - lr decay x - lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)
 *
 * The decay is apart from the gradient (Loshchilov and Hutter 2019), times the
 * learning rate, on all parameters: what fairseq's Adam does with --weight-decay.
 * Everything is cut into pieces of one size and sums are taken piece by piece in
 * order, so that threads do not change a bit.
 */
#ifndef OPTIMIZER_H
#define OPTIMIZER_H

#include <stddef.h>
#include <stdint.h>

#include "tape/params.h"
#include "tensor/real.h"

struct pool;

struct optimizer {
	struct params *params;
	real *m, *v;			/* [params->total] */
	double beta1, beta2, eps, decay;
	struct stretch { size_t at, n; real rate; } *piece;	/* of the blocks; without frozen
								 * parameters */
	size_t n_pieces;
	double *sum;			/* [n_pieces] */
};

/* After params_allocate() and params_freeze(). */
void optimizer_init(struct optimizer *o, struct params *p, double beta1, double beta2, double eps, double decay);
void optimizer_release(struct optimizer *o);

/* sqrt of the sum of the squares of all gradients. */
double optimizer_norm(struct optimizer *o, struct pool *pool);
/* Every number of every gradient to within -limit ... limit; what is no number stays none. */
void optimizer_clamp(struct optimizer *o, struct pool *pool, double limit);
/* Update number t, from 1; gradients are multiplied by scale first. */
void optimizer_step(struct optimizer *o, struct pool *pool, int64_t t, double lr, double scale);

#endif
