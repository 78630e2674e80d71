/*
 * gradient-sum: sums gradients over the ranks, the processes of one training (ranks.h), during the
 * backward pass, so that most of the communication takes no extra time.
 *
 * The block of all gradients (params.grad of tape/params.h) is cut into chunks.  A chunk is sent as
 * soon as the gradients of all parameters in it are final, that is, nothing more is added to them
 * in this update.  Ranks must send the chunks in the same order: in the first update from the last
 * chunk to the first, and later in the order in which they became final in rank 0's first backward
 * pass.  The order does not affect the result.
 */
#ifndef GRADIENT_SUM_H
#define GRADIENT_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tape/params.h"
#include "train/ranks.h"

struct gradient_sum {
	struct ranks *ranks;		/* NULL with one rank: nothing to do */
	const struct params *params;
	size_t chunk, n;		/* elements of a chunk, of which the last may have fewer;
					 * number of chunks */
	int *parts;			/* [n] number of parameters that are not frozen and have
					 * elements in the chunk */
	int *pending;			/* [n] number of these whose gradients are not final yet */
	uint32_t *order;		/* [n_order] chunks in sending order, without those that
					 * have only frozen parameters */
	size_t n_order, sent;		/* sent: number of chunks sent in this update, the first of
					 * `order` */
	uint32_t *seen;			/* [n_seen] chunks in the order in which they became final
					 * in this backward pass */
	size_t n_seen;
	bool ordered;			/* `order` is already that of rank 0 */
	real *rest;			/* [params->total] error feedback of this rank, see ranks.h;
					 * NULL if gradients are exchanged in fp32 */
	real *rests;			/* [ranks][params->total] at rank 0, the `rest` of each rank
					 * after gradient_sum_gather(), or NULL */
};

#define GRADIENT_CHUNK ((size_t)1 << 20)	/* elements, 4 MiB: large for a message, small for a
						 * model */

/*
 * Call it after params_allocate() and params_freeze(); p and r remain the caller's, and must live
 * as long as g.  `chunk` is the number of elements of a chunk, such as GRADIENT_CHUNK.
 */
void gradient_sum_init(struct gradient_sum *g, const struct params *p, struct ranks *r,
		       size_t chunk);
void gradient_sum_release(struct gradient_sum *g);
/*
 * From now on, ranks exchange gradients in bf16, with error feedback (ranks.h).  Call it at most
 * once.
 */
void gradient_sum_round(struct gradient_sum *g);
/*
 * Sets g->rests at rank 0 to the error feedback of all ranks, for a checkpoint.  All ranks must
 * call it at the same update.
 */
void gradient_sum_gather(struct gradient_sum *g);

/*
 * Every rank calls gradient_sum_begin() before the last tape_gradient() of an update, with the tape
 * of that call, and gradient_sum_end() after it, also if it has no part of the last batch.  After
 * gradient_sum_end(), params->grad is the sum over the ranks.
 */
void gradient_sum_begin(struct gradient_sum *g, struct tape *t);
void gradient_sum_end(struct gradient_sum *g, struct tape *t);

#endif
