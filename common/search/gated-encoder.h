/*
 * gated-encoder: encoder outputs of one batch with several gates of heads, one after another.
 *
 * The batch is encoded in parts, so that the memory of a part stays in the cache of the processor.
 * With the first gates, a part is encoded as by model_encode(); with later gates, from the first
 * attention layer on whose gates have changed (model/layer-pass.h).  The results have the same bits
 * as those of model_encode() with these gates.
 */
#ifndef GATED_ENCODER_H
#define GATED_ENCODER_H

#include "model/layer-pass.h"

/* Sentences `from` to `to` - 1 of the batch, and the last pass over them. */
struct encoded_part {
	int from, to;
	const struct batch *b;
	struct layer_pass pass;
};

struct gated_encoder {
	struct model *m;
	const struct batch *b;		/* the batch; the caller's */
	const real *gates;		/* [heads of all sites] the gates; the caller's */
	struct encoded_part *part;	/* [n] in the order in which they are encoded */
	int n, at;			/* at: index of the next part to encode */
	int parts;			/* this and all members below are private */
	size_t room;
	struct arena mem;
};

void gated_encoder_init(struct gated_encoder *g, struct model *m);	/* `m` must outlive *g */
void gated_encoder_release(struct gated_encoder *g);
/* Begins with a new batch, which must live until the next call, outside of the tape's arena. */
void gated_encoder_batch(struct gated_encoder *g, const struct batch *b);
/* From now on, the parts are encoded with `gates`, which must live as long as the batch. */
void gated_encoder_gates(struct gated_encoder *g, const real *gates);
/*
 * Encodes the next part of the batch, sentences `from` to `to` - 1, and sets *part to a batch of
 * these sentences.  With all gates, the batch must be divided into the same parts, in the same
 * order; with attention variants, into one part.  Rewinds the tape.
 */
struct node *gated_encoder_next(struct gated_encoder *g, struct tape *t, int from, int to,
				const struct batch **part);
/* Are the gates a and b [heads of all sites] the same in the encoder? */
bool gated_encoder_same(const struct model *m, const real *a, const real *b);

#endif
