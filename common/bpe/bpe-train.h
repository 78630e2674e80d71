/*
 * bpe-train: learns byte pair encoding.
 *
 * Sennrich, Haddow and Birch 2016, Neural machine translation of rare words with subword units.
 * The BPE codes are byte-identical to those of learn-bpe in subword-nmt 0.3.
 */
#ifndef BPE_TRAIN_H
#define BPE_TRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "text/word-count.h"

struct bpe_train {
	int64_t merges;			/* maximum number of merges */
	int64_t min_frequency;		/* minimum frequency of a merged pair; at least 1 */
	bool total_symbols;		/* reduce the maximum number of merges by the number of
					 * characters */
	int64_t made, characters;	/* set by bpe_train(): number of merges; number of distinct
					 * characters, where one at the end of a word differs from
					 * the same one inside */
};

/*
 * Learns BPE codes from words and their frequencies (word-count.h).  Appends the BPE codes, with
 * their version line, to `out`, and sets t->made and t->characters.
 */
void bpe_train(struct bpe_train *t, const struct word_count *words, struct buf *out);

#endif
