/*
 * gradient-sum: sums gradients over the ranks during the backward pass.
 *
 * The block of all gradients is cut into chunks.  A chunk is sent as soon as the gradients of all
 * parameters in it are final.  Ranks must send the chunks in the same order, so all use the order
 * of rank 0's first backward pass.  The order does not affect the result.
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
	size_t chunk, n;		/* elements of a chunk, except the last; number of chunks */
	int *parts;			/* [n] number of trained parameters in the chunk */
	int *pending;			/* [n] number of these that are not final yet */
	uint32_t *order;		/* [n_order] chunks in sending order, without those that
					 * have no parts */
	size_t n_order, sent;
	uint32_t *seen;			/* [n] the order in this backward pass */
	size_t n_seen;
	bool ordered;			/* order is already that of rank 0 */
	real *rest;			/* [params->total] error feedback; NULL in fp32 */
	real *rests;			/* [ranks][params->total] of all ranks, at rank 0 */
};

#define GRADIENT_CHUNK ((size_t)1 << 20)	/* 4 MiB: large for a network, small for a model */

/* Call it after params_allocate() and params_freeze(); p and r remain the caller's. */
void gradient_sum_init(struct gradient_sum *g, const struct params *p, struct ranks *r,
		       size_t chunk);
void gradient_sum_release(struct gradient_sum *g);
/* From now on, ranks exchange gradients in bf16, with error feedback (ranks.h). */
void gradient_sum_round(struct gradient_sum *g);
/* Sets rests at rank 0, for a checkpoint.  Collective. */
void gradient_sum_gather(struct gradient_sum *g);

/*
 * Call these before and after the last tape_gradient() of an update, also on a rank without a part
 * of the last batch.
 */
void gradient_sum_begin(struct gradient_sum *g, struct tape *t);
void gradient_sum_end(struct gradient_sum *g, struct tape *t);

#endif
