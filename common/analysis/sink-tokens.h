/*
 * sink-tokens: the tokens of a sentence as keys of attention, for sink-sums.h.
 *
 * End tokens, tags that the model adds, and the start token of the decoder are special.  In
 * cross-attention, a key is the token of a row if it equals the token that the row predicts.  In
 * self-attention, a row copies if it attends to another position with the same token as its own,
 * which is the token that it reads.
 */
#ifndef SINK_TOKENS_H
#define SINK_TOKENS_H

#include "analysis/sentence-attention.h"
#include "analysis/sink-sums.h"

/*
 * Overwrites t with the tokens of s at sites of the kind `where`.  The caller releases t, also
 * after an error.  Returns -1 with EXIT_INPUT if the record has no tokens.
 */
int sink_tokens_read(struct sink_tokens *t, const struct sentence_attention *s,
		     enum site_where where, struct err *e) MUST_USE;
void sink_tokens_release(struct sink_tokens *t);	/* accepts a struct of zeros */

#endif
