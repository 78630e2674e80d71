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
	bool total_symbols;		/* count the characters as merges: make `characters`
					 * fewer */
	int64_t made, characters;	/* set by bpe_train(): number of merges, number of
					 * characters */
};

/* Appends the BPE codes, with their version line, to `out`, and sets made and characters. */
void bpe_train(struct bpe_train *t, const struct word_count *words, struct buf *out);

#endif
