/*
 * head-shapley: Shapley values of heads, estimated from random permutations.
 *
 * Heads are the players of a game whose value is the loss: negative log-likelihood of the targets,
 * summed, with all other heads masked.  The Shapley value of a head is the mean, over all
 * permutations of the heads, of the increase of the loss when the head is masked after those before
 * it (Held and Yang 2023, Shapley head pruning, equation 2; sampled as by Castro, Gomez and Tejada
 * 2009).  The values of all heads sum to the loss without any head minus the loss of the model, for
 * any number of permutations.  The loss is additive over batches, so that the same permutations of
 * each batch give those of the corpus.
 *
 * A permutation costs one pass for each head, which begins at the first site whose masks changed
 * (layer-pass.h).
 */
#ifndef HEAD_SHAPLEY_H
#define HEAD_SHAPLEY_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/gated-scores.h"

struct head_shapley {
	size_t heads;			/* number of heads of all sites */
	int64_t permutations;
	uint32_t *order;		/* [permutations, heads] heads in the order of masking */
	double *increase;		/* [permutations, heads] increase of the loss, in nats, by
					 * head */
};

/* Overwrites x.  The permutations depend only on the seed and on the number of heads. */
void head_shapley_begin(struct head_shapley *x, size_t heads, int64_t permutations, uint64_t seed);
void head_shapley_release(struct head_shapley *x);
/*
 * Adds a batch, for which gated_loss_next() has been called.  All gates of g are 1 before and after
 * the call; `whole` is the loss of the batch with these.  Rewinds the tape.
 */
void head_shapley_add(struct head_shapley *x, struct gated_loss *g, struct tape *t,
		      const struct batch *b, double whole);
/*
 * The estimate for a head, in nats, summed over all batches; 0 without permutations.  *error,
 * unless `error` is NULL: its standard error, NAN for fewer than two permutations.
 */
double head_shapley_of(const struct head_shapley *x, size_t head, double *error);

#endif
