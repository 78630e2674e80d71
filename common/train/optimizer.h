/*
 * optimizer: Adam (Kingma and Ba 2015, algorithm 1) for all parameters that are not frozen, and its
 * learning rate.
 *
 *	m = beta1 m + (1 - beta1) g         v = beta2 v + (1 - beta2) g^2
 *	x = x - lr decay x - lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)
 *
 * The weight decay is decoupled from the gradient (Loshchilov and Hutter 2019), is multiplied by
 * the learning rate, and applies to all parameters, as --weight-decay of fairseq's Adam does,
 * except those with a negative rate, which maximize the loss.
 * Parameters are cut into chunks of a fixed size, and sums are taken chunk by chunk in order, so
 * the number of threads does not affect the result.
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
	struct chunk { size_t at, n; real rate; } *chunk;	/* [n_chunks] ranges of the blocks,
								 * except frozen parameters */
	size_t n_chunks;
	double *sum;			/* [n_chunks] */
};

/* Call it after params_allocate() and params_freeze(). */
void optimizer_init(struct optimizer *o, struct params *p, double beta1, double beta2, double eps,
		    double decay);
void optimizer_release(struct optimizer *o);

/* The Euclidean norm of the gradient. */
double optimizer_norm(struct optimizer *o, struct pool *pool);
/* Limits each element of the gradient to [-limit, limit]; NaN stays NaN. */
void optimizer_clamp(struct optimizer *o, struct pool *pool, double limit);
/* Update t, from 1; gradients are multiplied by `scale` first. */
void optimizer_step(struct optimizer *o, struct pool *pool, int64_t t, double lr, double scale);

/*
 * The learning rate of an update.
 *
 * Updates count from 1, so the first update has a rate above 0.  fairseq counts from 0: its rate at
 * an update is that of the update before here.
 */
struct schedule {
	int kind;		/* SCHEDULE_* of model.h */
	double lr;		/* peak, after the warm-up */
	double lr_init;		/* rate at the start of the warm-up */
	double factor;		/* for SCHEDULE_NOAM */
	int64_t warmup, total;	/* updates; total: linear reaches 0 after it */
	int64_t width;		/* model width, for noam */
};

/*
 * The rate of update s:
 *
 * constant, plateau: lr, after a linear warm-up from lr_init
 * inverse_sqrt:      the same warm-up, then lr * sqrt(warmup / s)
 * linear:            the same warm-up, then linear decay to 0 after update total
 * noam:              factor * width^-1/2 * min(s^-1/2, s * warmup^-3/2)
 *                    (Vaswani et al. 2017, equation 3)
 *
 * Without a warm-up, inverse_sqrt and noam compute with a warmup of 1.
 */
double schedule_rate(const struct schedule *s, int64_t update);

/* "constant", "inverse_sqrt", "noam", "linear", "plateau", NULL: in the order of the enum. */
extern const char *const schedule_names[];

#endif
