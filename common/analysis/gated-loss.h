/*
 * gated-loss: the loss of a batch with some of a model's heads masked.
 *
 * Loss is the negative log-likelihood of the target tokens and the end of each sentence, in nats,
 * without what variants add to it.  Target tokens of probability 0 (output_mask) are left out.
 */
#ifndef GATED_LOSS_H
#define GATED_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/model.h"

struct gated_loss {
	struct model *m;		/* the caller's */
	real *gates;			/* [heads of all sites] as model_gate() takes them; the
					 * caller sets them, 1 at first */
	size_t n_encoder;		/* gates of encoder self-attention, which come first */
	bool kept;			/* memory is of the batch at hand ... */
	real *kept_gates;		/* ... with these gates [n_encoder] */
	real *memory;			/* the encoder's output */
	struct arena arena;
};

/* Sets the model's gates. */
void gated_loss_begin(struct gated_loss *g, struct model *m);
void gated_loss_release(struct gated_loss *g);	/* all zeros are fine */

/* Another batch: forgets the encoder's output. */
void gated_loss_next(struct gated_loss *g);
/*
 * The loss of b with the gates as they are.  The encoder runs only if its gates have changed since
 * the last loss of this batch.  Rewinds the tape: the batch must not be in its arena.
 */
double gated_loss_of(struct gated_loss *g, struct tape *t, const struct batch *b);

/*
 * The sum of rows [from, to) of a cross-entropy node, NaN if one is; *infinite: the number of rows
 * of probability 0, which are left out.
 */
double loss_of_rows(const struct node *nll, int from, int to, int64_t *infinite);

#endif
