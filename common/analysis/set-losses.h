/*
 * set-losses: how much a model needs a set of its heads.  Without these heads, that is, with gates
 * of 0 on their outputs, the loss rises.  The rise is compared with that of random sets, which have
 * the same number of heads of each kind of attention.  Arrays [heads of all sites] have the order
 * of attention/attention-heads.h.
 */
#ifndef SET_LOSSES_H
#define SET_LOSSES_H

#include "analysis/gated-scores.h"
#include "analysis/sentence-attention.h"
#include "base/buf.h"

struct set_losses {
	struct site_list sites;		/* the attention layers of the model */
	size_t heads, size;		/* number of heads of all sites, and of those in the set */
	bool **masked;			/* [n][heads of all sites] the heads to leave out: [0] none,
					 * [1] those of the set, [2] and following those of the
					 * random sets */
	double *loss;			/* [n] loss without these heads, in nats: the sum over
					 * tokens; after set_losses_end() the mean */
	size_t n;			/* 2 + number of random sets; 0: not begun */
	int64_t tokens;			/* number of tokens so far that have a loss
					 * (gated_loss_tokens()) */
	struct gated_loss gates;
};

/*
 * Overwrites *l, and draws `n_random` random sets.  `set` [heads of all sites] is copied; at least
 * one element must be true.  No random sets are drawn if the set has all heads of each kind of
 * attention of which it has any head, because they would equal the set.  `m` has gates until
 * set_losses_end() (gated_loss_begin() in gated-scores.h).
 */
void set_losses_begin(struct set_losses *l, struct model *m, const bool *set, int64_t n_random,
		      uint64_t seed);
/*
 * Adds, for each set, the loss of batch `b`, which must have targets, when the heads of the set are
 * masked.  Rewinds the tape `t`, so that the batch must not be in its arena.
 */
void set_losses_add(struct set_losses *l, struct tape *t, const struct batch *b);
/*
 * Divides the losses by the number of tokens, and removes the gates from the model.  Must be called
 * once, after the last batch.
 */
void set_losses_end(struct set_losses *l);
void set_losses_release(struct set_losses *l);		/* accepts a struct of zeros */

/*
 * By how much the loss per token rises without the heads l->masked[k], in nats.  `k` is 1 for the
 * set, and 2 or more for random sets.  Call it after set_losses_end().
 */
double set_losses_rise(const struct set_losses *l, size_t k);
/* The number of random sets whose rise is less than that of the set. */
size_t set_losses_below(const struct set_losses *l);

/* Appends the rise of the set, and the range of the rises of the random sets, as a line of text. */
void set_losses_text(const struct set_losses *l, struct buf *out);
/*
 * Appends the last members of the JSON object of a report, and closes the object: "loss", the rise
 * of the set, and "random", the rises of the random sets, unless `l` is NULL; and "signature".  A
 * comma comes before each.
 */
void set_losses_end_json(const struct set_losses *l, const struct buf *signature, struct buf *out);

#endif
