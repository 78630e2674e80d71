/*
 * bpe-train-parts: the state of a training of BPE codes, for bpe-train.c and bpe-queue.c.
 *
 * A pair is two adjacent symbols; symbols are characters and subwords.  As in subword-nmt, counts
 * are in a table.  From time to time, pairs with counts below a threshold are pruned from the
 * table, and keep the count that they had when they were pruned.
 */
#ifndef BPE_TRAIN_PARTS_H
#define BPE_TRAIN_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strmap.h"

#define BPE_NOT_QUEUED INT64_MIN

struct bpe_train_word {
	size_t at;		/* first symbol in `symbol` of struct bpe_trainer */
	size_t n;		/* number of symbols */
	int64_t count;		/* frequency */
};

struct bpe_train_pair {
	uint32_t left, right;
	int64_t stat;		/* count in the table; meaningless if pruned */
	int64_t big;		/* count when the pair was last pruned */
	int64_t queued;		/* count in the pair's only valid entry in the heap */
	uint32_t *seen;		/* [n_seen] words that gained the pair (word * 2) or lost it
				 * (word * 2 + 1) */
	size_t n_seen, room;
	bool in_table, raised;	/* the pair is in `table`, in `raised` of struct bpe_trainer */
};

/* An entry of the heap. */
struct bpe_queued {
	int64_t count;
	uint32_t pair;
};

/* A hash table that finds pairs by their two symbols, with open addressing; at most half full. */
struct bpe_pair_map {
	uint32_t *slot;		/* index of a pair + 1, or 0 */
	size_t slots;
};

struct bpe_trainer {
	struct strmap symbols;
	uint64_t *prefix;		/* [symbols.n] the first eight bytes of each symbol, for
					 * fast comparison */
	size_t prefix_room;
	struct bpe_train_word *word;	/* [n_words] */
	size_t n_words;
	uint32_t *symbol;		/* the symbols of all words, one word after the other */
	struct bpe_train_pair *pair;	/* [n_pairs] all pairs that have occurred */
	size_t n_pairs, pair_room;
	struct bpe_pair_map map;
	uint32_t *table;		/* [n_table] the pairs in the table */
	size_t n_table, table_room;
	uint32_t *raised;		/* pairs whose counts increased in this step */
	size_t n_raised, raised_room;
	struct bpe_queued *heap;	/* [n_heap] */
	size_t n_heap, heap_room;
	int32_t *balance;		/* [n_words] how often each word gained the pair that is
					 * being merged, minus how often it lost the pair */
	uint32_t *touched, *old;	/* scratch: words of a pair, symbols of a word */
	size_t touched_room;
	double threshold;		/* minimum count in the table */
};

/* Adds an entry with pair number `pair` and its count in the table to the heap. */
void bpe_queue_add(struct bpe_trainer *t, uint32_t pair);
/*
 * Sets *best to the number of the pair with the highest count in the table; of pairs with equal
 * counts, to the last in code-point order.  Returns false if the table has no pair with a count
 * above 0.
 */
bool bpe_queue_best(struct bpe_trainer *t, uint32_t *best);

#endif
