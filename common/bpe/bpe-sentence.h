/*
 * bpe-sentence: the subwords of a sentence as an array, with the word of each subword.
 */
#ifndef BPE_SENTENCE_H
#define BPE_SENTENCE_H

#include <stdint.h>

#include "bpe/bpe.h"
#include "stream/stream.h"

struct bpe_sentence {
	size_t n;
	struct str *piece;		/* [n] */
	int32_t *word;			/* [n] index of the word, from 0 */
	struct buf text;		/* the subwords, separated by spaces; pieces point into it */
	size_t piece_room, word_room;
};

/* Segments the words of a sentence, separated by spaces.  The results live until the next call. */
void bpe_sentence_cut(struct bpe_sentence *s, struct bpe_coder *coder, struct str sentence);
void bpe_sentence_release(struct bpe_sentence *s);

#endif
