/* bpe-internal: declarations shared by the files that implement bpe.h. */
#ifndef BPE_INTERNAL_H
#define BPE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strmap.h"
#include "bpe/bpe.h"

#define BPE_WORD_END "</w>"
#define BPE_WORD_END_N 4

/*
 * A slot of the hash table of merges, which has open addressing by (left, right).  The merge joins
 * symbols `left` and `right` to symbol `merged`, by their numbers in struct bpe.  `rank` is the
 * place of the merge in the list of merges, from 0; -1 is an empty slot.
 */
struct bpe_pair {
	int32_t left, right, rank, merged;
};

struct bpe {
	char *text;			/* [text_n] the text of the BPE codes */
	size_t text_n;
	bool end_apart;			/* version 0.1: the end of a word is a separate symbol */
	struct strmap symbols;		/* the characters and subwords of all merges */
	struct bpe_pair *pair;		/* [slots] the hash table of merges */
	size_t slots, n_pairs;
	int shift;			/* 64 minus the binary logarithm of slots */
	/*
	 * A Bloom filter of the merges, with eight bits per slot.  It fits into a processor's cache
	 * and rejects most pairs of symbols that are not a merge.
	 */
	uint64_t *filter;
	struct bpe_split { int32_t left, right; } *split;	/* [symbols.n] the two symbols that
								 * were merged to this symbol, or
								 * -1 */
	int32_t letter[2][128];		/* symbols of ASCII characters: [0] within a word, [1] at
					 * its end; -1: no symbol */
};

/*
 * A symbol of the word that is being segmented: its number in `symbols`, or -1 for a character that
 * is in no merge, and the byte of the word at which the symbol begins.
 */
struct bpe_symbol { int32_t id; uint32_t at; };

/* Scratch memory of one thread for bpe_merge_word().  Zero-initialize it. */
struct bpe_scratch {
	struct bpe_symbol *symbol;	/* the symbols of the word */
	int32_t *rank;			/* for each symbol: the rank of its merge with the next */
	size_t symbol_room, rank_room;
	struct bpe_candidate *heap;	/* [n_heap] possible merges, in long words */
	size_t n_heap, heap_room;
	uint32_t *next, *previous;	/* the neighbors of each symbol, in long words */
	size_t next_room, previous_room;
	struct bpe_candidate *batch;	/* the merges of one step, in long words */
	size_t batch_room;
};

struct rng;

/* Returns the slot of the merge of two symbols, or NULL if they have no merge. */
const struct bpe_pair *bpe_find(const struct bpe *b, int32_t left, int32_t right);

/*
 * Segments a word of n bytes and more than one character.  Stores the symbols, which are the
 * subwords, in s->symbol, and returns their number.  Subword i is the text from symbol[i].at to
 * symbol[i + 1].at, or to the end of the word.  Unless `r` is NULL, each merge is skipped with
 * probability p.
 */
size_t bpe_merge_word(const struct bpe *b, struct bpe_scratch *s, const char *word, size_t n,
		      struct rng *r, double p);
void bpe_scratch_release(struct bpe_scratch *s);

/* Glossaries: regular expressions for parts of words that are not segmented. */
struct glossaries;
struct glossaries *glossaries_new(void);
void glossaries_free(struct glossaries *g);
/* Adds a POSIX extended regular expression; returns -1 with EXIT_USAGE if it is malformed. */
int glossaries_add(struct glossaries *g, const char *regex, struct err *e);

/*
 * Splits a word of n bytes before and after each part that matches a glossary.  Returns the number
 * of parts, and sets *end to an array with the byte of the word at which each part ends.  The array
 * is valid until the next call.
 */
size_t glossaries_cut(struct glossaries *g, const char *word, size_t n, const size_t **end);
/* Does a glossary match the whole part? */
bool glossaries_keep(struct glossaries *g, const char *part, size_t n);

#endif
