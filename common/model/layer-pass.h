/*
 * layer-pass: forward passes over one batch that differ only from some layer on.
 *
 * The input of each layer is kept, and a pass may begin at any layer.  Its result has the same bits
 * as that of a whole pass.  Layers count from 0: those of the encoder, then those of the decoder.
 */
#ifndef LAYER_PASS_H
#define LAYER_PASS_H

#include <stdbool.h>

#include "base/arena.h"
#include "model/model.h"

struct layer_pass {
	struct model *m;		/* the caller's; NULL: not initialized */
	int encoder, layers;		/* number of layers of the encoder, and of both sides */
	bool whole;			/* a pass over the current batch has been completed */
	real **input;			/* [layers + 1] of each layer; the last is the decoder's
					 * output before a final norm.  Private, as all below */
	real *memory;			/* the encoder's output */
	struct arena arena;
};

void layer_pass_init(struct layer_pass *p, struct model *m);
void layer_pass_release(struct layer_pass *p);	/* p may be all zeros */
/* The layer of a site of m. */
int layer_pass_of(const struct model *m, size_t site);

/* Must be called before each new batch: discards the inputs. */
void layer_pass_next(struct layer_pass *p);
/*
 * Runs b from layer `first` on, or as a whole if it is the first pass over the batch, and returns
 * the cross-entropy node.  Nothing before this layer may have changed since the last pass; first
 * may be the number of layers.  Rewinds the tape; the batch must not be in its arena.
 */
struct node *layer_pass_run(struct layer_pass *p, struct tape *t, const struct batch *b, int first);

#endif
