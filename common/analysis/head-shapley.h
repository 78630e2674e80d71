/*
 * head-shapley: Shapley values of heads, estimated from random permutations.
 *
 * The heads of a model are masked one after another, in the order of a permutation.  A head is
 * masked by a gate of 0 on its output (model_gate() in model/model.h).  Heads are numbered as in
 * attention/attention-heads.h.  The loss is the negative log-likelihood of the targets, in nats,
 * summed over tokens.  Masking a head, while all heads before it in the permutation are already
 * masked, increases the loss by some amount, which may be negative.  The Shapley value of a head is
 * the mean of this increase over all permutations of the heads (Held and Yang 2023, Shapley head
 * pruning, equation 2).  It is estimated by the mean over random permutations (Castro, Gomez and
 * Tejada 2009).  For any number of permutations, the estimates of all heads sum to the loss with
 * all heads masked minus the loss with none masked.  All batches use the same permutations, and the
 * losses of batches are added, so that the result is the estimate for the whole corpus.
 *
 * A permutation costs one forward pass of each batch for each head.  The pass begins at the
 * attention layer of the head (model/layer-pass.h), and that for the first head of a permutation at
 * the first layer.
 */
#ifndef HEAD_SHAPLEY_H
#define HEAD_SHAPLEY_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/gated-scores.h"

struct head_shapley {
	size_t heads;			/* number of heads of all attention layers */
	int64_t permutations;
	uint32_t *order;		/* [permutations, heads] the permutations: heads in the
					 * order of masking */
	double *increase;		/* [permutations, heads] increase of the loss by each head,
					 * in nats; indexed by head, not by order */
};

/*
 * Overwrites *x, and draws the permutations, which depend only on the seed and on the number of
 * heads.
 */
void head_shapley_begin(struct head_shapley *x, size_t heads, int64_t permutations, uint64_t seed);
void head_shapley_release(struct head_shapley *x);
/*
 * Adds a batch, for which gated_loss_next() (gated-scores.h) has been called.  All gates of `g`
 * must be 1; they are 1 again after the call.  `whole` is the loss of the batch with these gates.
 * Rewinds the tape `t`.
 */
void head_shapley_add(struct head_shapley *x, struct gated_loss *g, struct tape *t,
		      const struct batch *b, double whole);
/*
 * Returns the estimate for a head, in nats, summed over all batches; 0 without permutations.
 * Unless `error` is NULL, sets *error to its standard error over permutations, NAN for fewer than
 * two.
 */
double head_shapley_of(const struct head_shapley *x, size_t head, double *error);

#endif
