/*
 * sink-tokens: the tokens of a sentence as keys of attention, for sink-sums.h.
 *
 * End tokens, tags that the model adds, and the start token of the decoder are KEY_SPECIAL.  In
 * cross-attention, a key has the same token as a row if it equals the token that the row predicts.
 * In self-attention, each position has the token that it reads; a key has the same token as a row
 * if both tokens are equal and the positions differ.  Special tokens and future positions never
 * count as the same.
 */
#ifndef SINK_TOKENS_H
#define SINK_TOKENS_H

#include "analysis/sentence-attention.h"
#include "analysis/sink-sums.h"

/*
 * Overwrites *t with the tokens of sentence `s` as keys and rows of attention layers of the kind
 * `where`.  Release `t` also after an error.  Returns -1 with EXIT_INPUT if the record has no
 * tokens.
 */
int sink_tokens_read(struct sink_tokens *t, const struct sentence_attention *s,
		     enum site_where where, struct err *e) MUST_USE;
void sink_tokens_release(struct sink_tokens *t);	/* accepts a struct of zeros */

#endif
