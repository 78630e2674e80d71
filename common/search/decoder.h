/*
 * decoder: incremental decoding, one position at a time.
 *
 * A cache has slots for max_slots hypotheses.  Each slot has the keys and values of the positions
 * that its hypothesis stepped through; those of earlier positions may be in the slots of the
 * hypotheses that it extends.  Keys and values of cross-attention are computed once per sentence
 * and shared by its hypotheses.
 */
#ifndef DECODER_H
#define DECODER_H

#include <stdbool.h>

#include "model/model.h"

struct decoder_cache;

/* `bytes`: keys and values are stored as 8-bit integers with a unit for each head; see int8.h. */
struct decoder_cache *decoder_cache_new(const struct model *m, int max_slots, bool bytes);
void decoder_cache_free(struct decoder_cache *c);
/*
 * Adds the keys and values of cross-attention for the sentences of b, which get the next numbers;
 * `memory` is their encoder output.
 */
void decoder_cache_add(struct decoder_cache *c, struct model *m, struct tape *t,
		       const struct batch *b, struct node *memory);
/*
 * Keeps the weights of a site of cross-attention in each step, for model_site_weights(): a block
 * [H, 1, S] per hypothesis.
 */
void decoder_cache_keep_weights(struct decoder_cache *c, size_t site);
/*
 * From now on, hypotheses of a sentence with the same tokens so far and the same gates of the first
 * layers share what these layers compute.  All slots must then begin again at position 0, and those
 * of a sentence at the same time.  Must not be used with attention variants or kept weights.
 */
void decoder_cache_share(struct decoder_cache *c, bool share);
/* Removes all sentences; the next has number 0.  All slots may begin at position 0. */
void decoder_cache_clear(struct decoder_cache *c);
/*
 * Decodes one position of n hypotheses.  Hypothesis i is in slot `slot[i]`, translates sentence
 * `sentence[i]`, and reads token `id[i]` (-1: the zero vector) at position `pos[i]`.  Returns the
 * decoder output [n, width], for model_logits() and model_next().  `gates[i]` has the gates of the
 * heads of all sites for hypothesis i, instead of model_gate(); `gates` may be NULL.  They must
 * outlive the tape.
 */
struct node *decoder_step(struct decoder_cache *c, struct model *m, struct tape *t, int n,
			  const int *slot, const int *sentence, const int *pos, const int *id,
			  const real *const *gates);
/*
 * Makes slot `to[i]` a copy of slot `from[i]` up to position `len[i]`, for all i at once.  The two
 * share those positions: neither may step there again, unless both begin again at position 0.
 */
void decoder_cache_move(struct decoder_cache *c, int n, const int *from, const int *to,
			const int *len);

#endif
