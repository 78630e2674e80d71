/*
 * head-losses: how much a model's loss depends on each of its heads.
 *
 * Loss is the negative log-likelihood of the target symbols and their ends, in nats, without label
 * smoothing and without what variants add to it; symbols of probability 0 (output_mask) are
 * left out, for gradients with their sentences.  Gates are those of model_gate().
 *
 *	gradient	sum over sentences of |d loss / d gate| at gates of 1, for each target symbol
 *			(Michel, Levy and Neubig 2019, Are sixteen heads really better than one, equation 2,
 *			up to the constant factor of symbols in a sentence)
 *	ablation	loss with the head's gate at 0 less the loss with all at 1, for each target symbol
 *
 * Of these the gradient costs three forward passes for all heads, the ablation of each head one
 * of the decoder, of the encoder's of both sides.
 */
#ifndef HEAD_LOSSES_H
#define HEAD_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/gated-loss.h"
#include "analysis/head-table.h"
#include "model/model.h"

struct head_losses {
	struct model *m;		/* the caller's */
	bool gradient, ablation;	/* what is wanted: the caller's, before
					 * head_losses_begin() */
	double *gradients, *nll;	/* [heads of all sites] summed */
	double whole;			/* loss with all heads */
	int64_t gradient_tokens, tokens, masked;
	struct gated_loss gated;
};

/*
 * Sets gates, and, for gradients, which want a model that was loaded with them, what is trained and
 * smoothed: the model is only good for this from now on.
 */
void head_losses_begin(struct head_losses *l, struct model *m);
void head_losses_release(struct head_losses *l);

/*
 * A batch that has just gone through model_loss(), whose *nll is given.  Afterwards the tape
 * has been rewound if ablation was wanted; the batch must not be in its arena.
 */
void head_losses_add(struct head_losses *l, struct tape *t, const struct batch *b,
		     struct node *nll);
/*
 * "gradient", divided by its Euclidean norm over the heads of a layer as Michel et al. prune by
 * it, as it is "gradient.raw"; "ablation".  EXIT_INPUT if one of them has overflowed.
 */
int head_losses_fill(const struct head_losses *l, struct head_table *t, struct err *e) MUST_USE;

#endif
