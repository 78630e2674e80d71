/*
 * gated-loss: the loss of a batch with some heads of the model masked.
 *
 * The loss is the negative log-likelihood of the target tokens and of the end of each sentence, in
 * nats, without the losses that variants add.  Target tokens with probability 0 (output_mask) are
 * left out.
 */
#ifndef GATED_LOSS_H
#define GATED_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/layer-pass.h"

struct gated_loss {
	struct model *m;		/* the caller's */
	real *gates;			/* [heads of all sites] as in model_gate(); initially 1,
					 * the caller may change them */
	bool fixed;			/* set by the caller: only the first pass over a batch is
					 * kept for the others to begin from, not each one */
	real *last;			/* private: the gates of the pass that was kept */
	struct layer_pass pass;
};

/* Sets the gates of the model, which uses g->gates until gated_loss_release(). */
void gated_loss_begin(struct gated_loss *g, struct model *m);
/* g may be all zeros. */
void gated_loss_release(struct gated_loss *g);

/* Must be called before each new batch: discards the inputs of its layers. */
void gated_loss_next(struct gated_loss *g);
/*
 * The loss of b with the current gates, summed over its tokens.  The pass begins at the first site
 * whose gates changed since the last call for this batch, or the first one with fixed.  Rewinds the
 * tape; the batch must not be in its arena.
 */
double gated_loss_of(struct gated_loss *g, struct tape *t, const struct batch *b);
/* The same, but returns the cross-entropy node, for loss_of_rows(). */
const struct node *gated_loss_node(struct gated_loss *g, struct tape *t, const struct batch *b);

/*
 * The sum of rows [from, to) of a cross-entropy node; NaN if a row is NaN.  Rows with probability 0
 * are left out, and *infinite is set to their number.
 */
double loss_of_rows(const struct node *nll, int from, int to, int64_t *infinite);

#endif
