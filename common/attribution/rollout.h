/*
 * rollout: contributions of tokens through all layers, from those within each layer.
 *
 * A layer gives each of its rows as a mixture of its inputs, with weights that sum to 1.  The
 * mixtures of all layers are multiplied (Abnar and Zuidema 2020, Quantifying attention flow in
 * transformers, equation 1).  A row of the decoder also mixes the outputs of the encoder, whose own
 * contributions are substituted (Ferrando et al. 2022, Towards opening the black box of neural
 * machine translation, section 4).
 */
#ifndef ROLLOUT_H
#define ROLLOUT_H

#include <stdbool.h>

#include "base/arena.h"

struct rollout {
	int sources, targets;		/* S, T: rows of the encoder and of the decoder */
	double *enc;			/* [S, S] source tokens in the rows of the encoder */
	double *src, *tgt;		/* [T, S], [T, T] both in the rows of the decoder */
	double *room;			/* [max(S, T), max(S, T)] */
};

/* All matrices are in mem.  Each row contributes 1 to itself. */
void rollout_init(struct rollout *r, int sources, int targets, struct arena *mem);
/* Adds the next layer of the encoder, a mixture of its rows [S, S]. */
void rollout_encoder(struct rollout *r, const double *self);
/*
 * Adds the next layer of the decoder, a mixture of its rows, self [T, T], and of the rows of the
 * encoder, cross [T, S].
 */
void rollout_decoder(struct rollout *r, const double *self, const double *cross);

/* out [m, n] += a [m, k] b [k, n], or a' b with a [k, m] if turned */
void rollout_add_product(int m, int k, int n, bool turned, const double *a, const double *b,
			 double *out);

#endif
