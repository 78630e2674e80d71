/*
 * decoder: incremental decoding, one target position at a time.
 *
 * A cache has `max_slots` slots, numbered from 0, for one hypothesis each.  A slot stores the keys
 * and values of self-attention for all positions of its hypothesis so far.  Keys and values of
 * cross-attention are computed once for each sentence and shared by its hypotheses.
 */
#ifndef DECODER_H
#define DECODER_H

#include <stdbool.h>

#include "model/model.h"

struct decoder_cache;

/*
 * The number of slots that a cache should have: 320, or fewer if the keys and values of 32
 * positions of each would take more than 256 MiB.  320 rows are enough for efficient matrix
 * products, and their activations stay in the cache of the processor.
 */
int decoder_cache_slots(const struct model *m, const struct pass *p);
/*
 * Makes a cache for model m.  If `bytes` is true, keys and values are stored as 8-bit integers with
 * a unit for each head (tensor/int8.h).
 */
struct decoder_cache *decoder_cache_new(const struct model *m, int max_slots, bool bytes);
void decoder_cache_free(struct decoder_cache *c);
/*
 * Computes the keys and values of cross-attention for the sentences of b from their encoder output,
 * `memory`, and adds them to the cache.  The sentences are numbered in the order in which they are
 * added, from 0.
 */
void decoder_cache_add(struct decoder_cache *c, struct model *m, struct tape *t,
		       const struct batch *b, struct node *memory);
/*
 * From now on, decoder_step() keeps the attention weights of a site of cross-attention on the tape,
 * for model_site_weights(), with a block [H, 1, S] for each hypothesis.
 */
void decoder_cache_keep_weights(struct decoder_cache *c, size_t site);
/*
 * If `share` is true, from now on a decoder_step() with `gates` computes the first layers once for
 * all hypotheses of a sentence that have the same tokens so far and the same gates in these layers.
 * After each call all slots must begin again at position 0, the slots of a sentence at the same
 * time.  Sharing is not allowed with attention variants or decoder_cache_keep_weights().
 */
void decoder_cache_share(struct decoder_cache *c, bool share);
/*
 * Removes all sentences; the next one that is added has number 0.  All slots may begin again at
 * position 0.
 */
void decoder_cache_clear(struct decoder_cache *c);
/*
 * Decodes one position of n hypotheses.  Hypothesis i has slot `slot[i]`, translates sentence
 * `sentence[i]`, and reads the token `id[i]` (-1: the zero vector) at position `pos[i]`, from 0.
 * Returns the decoder output [n, width], from which model_logits() and model_next() compute.  If
 * `gates` is not NULL, `gates[i]` has the gates of the heads of all sites for hypothesis i, in
 * place of those of model_gate().  They must live until the tape is rewound.
 */
struct node *decoder_step(struct decoder_cache *c, struct model *m, struct tape *t, int n,
			  const int *slot, const int *sentence, const int *pos, const int *id,
			  const real *const *gates);
/*
 * Copies the first `len[i]` positions of slot `from[i]` to slot `to[i]`, for n pairs at once, so
 * that slots can also be exchanged.  Both slots then refer to the same keys and values:
 * decoder_step() must not compute any of these positions again, unless both slots begin again at
 * position 0.
 */
void decoder_cache_move(struct decoder_cache *c, int n, const int *from, const int *to,
			const int *len);

#endif
