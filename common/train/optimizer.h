/*
 * optimizer: Adam (Kingma and Ba 2015, algorithm 1) for all parameters that are not frozen, and its
 * learning rate.
 *
 *	m = beta1 m + (1 - beta1) g         v = beta2 v + (1 - beta2) g^2
 *	x = x - lr decay x - lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)
 *
 * Here x is an element of a parameter, g of its gradient, m and v are its moments (the running
 * means of g and g^2), t is the number of the update from 1, `lr` the learning rate and `decay` the
 * weight decay.
 *
 * The weight decay is decoupled from the gradient (Loshchilov and Hutter 2019), is multiplied by
 * the learning rate, and applies to all parameters, as --weight-decay of fairseq's Adam does,
 * except those with a negative rate (param.rate, tape/params.h), which maximize the loss.
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
	real *m, *v;			/* [params->total] the moments, laid out as params->x */
	double beta1, beta2, eps, decay;
	struct chunk { size_t at, n; real rate; } *chunk;	/* [n_chunks] n elements from `at`
								 * of the blocks params->x, grad, m
								 * and v, and the factor `rate` on
								 * their learning rate; of all
								 * parameters except frozen ones */
	size_t n_chunks;
	double *sum;			/* [n_chunks] scratch of optimizer_norm() */
};

/*
 * The moments are 0.  Call it after params_allocate() and params_freeze(); p remains the caller's,
 * and must live as long as o.
 */
void optimizer_init(struct optimizer *o, struct params *p, double beta1, double beta2, double eps,
		    double decay);
void optimizer_release(struct optimizer *o);

/*
 * The Euclidean norm of the gradient, params->grad without frozen parameters.  In these functions,
 * the threads of `pool` share the work; NULL: one thread.
 */
double optimizer_norm(struct optimizer *o, struct pool *pool);
/* Limits each element of the gradient to [-limit, limit]; NaN stays NaN. */
void optimizer_clamp(struct optimizer *o, struct pool *pool, double limit);
/*
 * Changes the parameters and moments in update t, which counts from 1; gradients are multiplied by
 * `scale` first, to clip them.
 */
void optimizer_step(struct optimizer *o, struct pool *pool, int64_t t, double lr, double scale);

/*
 * A schedule: what determines the learning rate of each update.
 *
 * Updates count from 1, so the first update has a rate above 0.  fairseq counts from 0: its rate at
 * an update is that of the update before here.
 */
struct schedule {
	int kind;		/* SCHEDULE_* of model/model.h */
	double lr;		/* the highest rate, reached at the end of the warm-up */
	double lr_init;		/* rate at the start of the warm-up */
	double factor;		/* for SCHEDULE_NOAM */
	int64_t warmup, total;	/* in updates; total: of the training, for SCHEDULE_LINEAR, which
				 * reaches 0 after it */
	int64_t width;		/* width of the model, for SCHEDULE_NOAM */
};

/*
 * The learning rate of an update, where s stands for its number:
 *
 *	constant, plateau	lr, after a linear warm-up from lr_init
 *	inverse_sqrt		the same warm-up, then lr * sqrt(warmup / s)
 *	linear			the same warm-up, then linear decay to 0 after update total
 *	noam			factor * width^-1/2 * min(s^-1/2, s * warmup^-3/2)
 *				(Vaswani et al. 2017, equation 3)
 *
 * Without a warm-up, inverse_sqrt and noam compute with a warmup of 1.
 */
double schedule_rate(const struct schedule *s, int64_t update);

/*
 * "constant", "inverse_sqrt", "noam", "linear" and "plateau", each at the index SCHEDULE_*
 * (model/model.h), and NULL at the end.
 */
extern const char *const schedule_names[];

#endif
