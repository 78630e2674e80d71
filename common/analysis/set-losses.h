/*
 * set-losses: how much a model needs a set of its heads: the rise of its loss without them,
 * compared with random sets that have as many heads of each kind of attention.
 */
#ifndef SET_LOSSES_H
#define SET_LOSSES_H

#include "analysis/gated-scores.h"
#include "analysis/sentence-attention.h"
#include "base/buf.h"

struct set_losses {
	struct site_list sites;		/* of the model */
	size_t size;			/* heads in the set */
	bool **masked;			/* [n][heads of all sites] none, the set, random sets */
	double *loss;			/* [n] loss without each set, in nats: a sum over tokens,
					 * and after set_losses_end() their mean */
	size_t n;			/* 0: no losses */
	int64_t tokens;			/* that have a loss (gated_loss_tokens()) */
	struct gated_loss gates;
};

/*
 * Overwrites l, and draws `n_random` random sets.  `set` [heads of all sites] is copied; at least
 * one element is true.  There are no random sets if the set has all heads of its kinds of
 * attention.  Sets gates of m until set_losses_end() or set_losses_release(), see
 * gated_loss_begin().
 */
void set_losses_begin(struct set_losses *l, struct model *m, const bool *set, int64_t n_random,
		      uint64_t seed);
/* Adds a batch with targets to all sums, as gated_loss_of(): it rewinds the tape. */
void set_losses_add(struct set_losses *l, struct tape *t, const struct batch *b);
/* Call it once, after the last batch: divides the sums by the number of tokens. */
void set_losses_end(struct set_losses *l);
void set_losses_release(struct set_losses *l);		/* accepts a struct of zeros */

/*
 * After set_losses_end(): by how much the loss per token rises without set k, in nats.  k is 1 for
 * the set, and 2 or more for random sets.
 */
double set_losses_rise(const struct set_losses *l, size_t k);
/* The number of random sets without which the loss rises less than without the set. */
size_t set_losses_below(const struct set_losses *l);

/* Appends the result as a line of text. */
void set_losses_text(const struct set_losses *l, struct buf *out);
/*
 * Ends the JSON object of a report: appends the members "loss" and "random", unless l is NULL,
 * and "signature", after a comma.
 */
void set_losses_end_json(const struct set_losses *l, const struct buf *signature, struct buf *out);

#endif
