/* bpe-internal: what the files behind bpe.h share; nobody else includes it. */
#ifndef BPE_INTERNAL_H
#define BPE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strmap.h"
#include "text/bpe.h"

#define BPE_WORD_END "</w>"
#define BPE_WORD_END_N 4

/* One merge: open addressing over (left, right), rank -1 in an empty slot. */
struct bpe_pair {
	int32_t left, right, rank, merged;
};

struct bpe {
	char *text;
	size_t text_n;
	bool end_apart;			/* version 0.1: the end of a word is a symbol of its own */
	struct strmap symbols;
	struct bpe_pair *pair;
	size_t slots, n_pairs;
	int shift;			/* 64 less the logarithm of slots */
	uint64_t *filter;		/* eight bits a slot: small enough to stay in a cache, and most
					 * pairs that are no merge are told by it alone */
	struct bpe_split { int32_t left, right; } *split;	/* per symbol: the merge that is undone, or -1 */
	int32_t letter[2][128];		/* ASCII characters as symbols, inside and at the end of a word, or -1 */
};

/* A symbol of a word that is being coded: its number (-1: not in the codes) and where its text starts. */
struct bpe_symbol { int32_t id; uint32_t at; };

/* Scratch of one thread for coding words. */
struct bpe_scratch {
	struct bpe_symbol *symbol;
	int32_t *rank;
	size_t symbol_room, rank_room;
	struct bpe_candidate *heap;
	size_t n_heap, heap_room;
	uint32_t *next, *previous;
	size_t next_room, previous_room;
	struct bpe_candidate *batch;
	size_t batch_room;
};

struct rng;

const struct bpe_pair *bpe_find(const struct bpe *b, int32_t left, int32_t right);

/*
 * Codes a word of more than one character into s->symbol and returns how many
 * symbols there are; piece i is the text from symbol[i].at to symbol[i + 1].at or the end.
 * With r, merges are dropped with probability p.
 */
size_t bpe_merge_word(const struct bpe *b, struct bpe_scratch *s, const char *word, size_t n,
		      struct rng *r, double p);
void bpe_scratch_release(struct bpe_scratch *s);

struct glossaries;
struct glossaries *glossaries_new(void);
void glossaries_free(struct glossaries *g);
int glossaries_add(struct glossaries *g, const char *regex, struct err *e);

/* Cuts a word where glossaries say so: n parts, ends in (*end)[0 .. n-1], good until the next call. */
size_t glossaries_cut(struct glossaries *g, const char *word, size_t n, const size_t **end);
bool glossaries_keep(struct glossaries *g, const char *part, size_t n);	/* does it stay whole? */

#endif
