/*
 * bpe-train: learning byte pair encoding.
 *
 * Sennrich, Haddow and Birch 2016, Neural machine translation of rare words
 * with subword units; the codes are those of subword-nmt's learn-bpe (0.3),
 * byte for byte.
 */
#ifndef BPE_TRAIN_H
#define BPE_TRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "text/word-count.h"

struct bpe_train {
	int64_t merges;			/* at most so many ... */
	int64_t min_frequency;		/* ... and only while a pair occurs so often; at least 1 */
	bool total_symbols;		/* the initial characters count as merges already made */
	int64_t made, characters;	/* afterwards: merges made, initial characters */
};

/* Appends the codes, with their version line, to out. */
void bpe_train(struct bpe_train *t, const struct word_count *words, struct buf *out);

#endif
