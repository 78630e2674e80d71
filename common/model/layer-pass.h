/*
 * layer-pass: forward passes over one batch, which reuse the layers that they have in common.
 *
 * The head outputs of each site are kept, and a pass may begin at the heads of any site.  A pass
 * that begins in the decoder has the keys and values of cross-attention, too.  With attention
 * variants, a pass begins at the layer of the site.  Results have the same bits as those of whole
 * passes.
 *
 * Sites have places in the order of computation: those of the encoder from 0, then self-attention
 * and cross-attention of each decoder layer.
 */
#ifndef LAYER_PASS_H
#define LAYER_PASS_H

#include "base/arena.h"
#include "model/model.h"

/* What was computed at a site: arrays of dense rows. */
struct kept_site {
	real *x;			/* the input of its sublayer */
	real *heads;			/* head outputs before patches and gates */
	real *kv;			/* keys and values of cross-attention */
};

struct layer_pass {
	struct model *m;		/* the caller's; NULL: not initialized */
	int encoder, places;		/* number of sites of the encoder, and of both sides */
	bool whole;			/* a pass over the current batch has been completed */
	struct kept_site *kept;		/* [places + 1] the last x is the decoder output before a
					 * final norm.  This member and those below are private */
	real *memory;			/* the encoder's output */
	real *room, *other_memory;	/* memory of a pass that is not kept, and its encoder
					 * output */
	struct arena arena;
};

void layer_pass_init(struct layer_pass *p, struct model *m);
void layer_pass_release(struct layer_pass *p);	/* p may be all zeros */
/* The place of a site of m. */
int layer_pass_place(const struct model *m, size_t site);

/* Must be called before each new batch: discards what was kept of the last one. */
void layer_pass_next(struct layer_pass *p);
/*
 * Runs b from the heads at place `first` on, or as a whole if it is the first pass over the batch,
 * and returns the cross-entropy node.  `first` may be the number of places.  With `backward`, or in
 * the first pass, what it computes is kept.  Nothing before the gates at `first` may differ from
 * the last pass that was kept.  Rewinds the tape; the batch must not be in its arena.
 */
struct node *layer_pass_run(struct layer_pass *p, struct tape *t, const struct batch *b, int first,
			    bool backward);

#endif
