/*
 * ngram: how many n-grams of one text another text has, clipped.
 *
 * A text is a sequence of symbols: numbers of words, or code points.  First
 * the references are added; an n-gram may then be matched as often as it is
 * in the reference that has it most often.  Inside is a trie whose edges lie
 * in one hash table, so that an n-gram costs one look-up and no comparison of
 * texts, and that is emptied in constant time.
 */
#ifndef NGRAM_H
#define NGRAM_H

#include <stddef.h>
#include <stdint.h>

#define NGRAM_MAX_ORDER 9

struct ngrams {
	struct ngram_edge { uint64_t key; uint32_t round, node; } *edge;
	size_t edges;			/* a power of two */
	struct ngram_node { int32_t most, now; uint32_t text; } *node;
	size_t n, room;			/* nodes, the root included */
	uint32_t round, text;
};

void ngrams_init(struct ngrams *g);
void ngrams_release(struct ngrams *g);
void ngrams_clear(struct ngrams *g);		/* no references any more */

/* A reference: all its n-grams of orders 1 to order. */
void ngrams_add(struct ngrams *g, const int32_t *symbol, size_t n, int order);

/* match[k - 1]: how many n-grams of order k match; symbols below 0 match nothing. */
void ngrams_match(struct ngrams *g, const int32_t *symbol, size_t n, int order, int32_t *match);

/* How many n-grams of this order a text of n symbols has. */
size_t ngrams_total(size_t n, int order);

#endif
