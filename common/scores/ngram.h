/*
 * ngram: counts the n-grams that two texts have in common, with clipping.
 *
 * A text is a sequence of ids: those of words, or code points.  The references are added first.
 * An n-gram may then match as often as it occurs in the reference that contains it most often.
 * The n-grams are in a trie whose edges are in one hash table: an n-gram costs one lookup and no
 * comparison of texts, and the trie is cleared in constant time.
 */
#ifndef NGRAM_H
#define NGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strmap.h"

#define NGRAM_MAX_ORDER 9

struct ngrams {
	struct ngram_edge { uint64_t key; uint32_t round, node; } *edge;
	size_t edges;			/* a power of two */
	/*
	 * `max` is the maximum number of occurrences in a reference, and `now` the number in text
	 * number `text`.
	 */
	struct ngram_node { int32_t max, now; uint32_t text; } *node;
	size_t n, room;			/* n: nodes, including the root */
	uint32_t round, text;
};

void ngrams_init(struct ngrams *g);
void ngrams_release(struct ngrams *g);
/* Removes all references. */
void ngrams_clear(struct ngrams *g);

/* Adds a reference of n ids: its n-grams of orders 1 to order. */
void ngrams_add(struct ngrams *g, const int32_t *id, size_t n, int order);

/*
 * Sets `match` [order] to the numbers of n-grams of a hypothesis that match, match[k - 1] for order
 * k.  Negative ids match nothing.
 */
void ngrams_match(struct ngrams *g, const int32_t *id, size_t n, int order, int32_t *match);

/* The number of n-grams of this order in a text of n ids; 0 if the text is shorter. */
size_t ngrams_total(size_t n, int order);

/*
 * The words of texts as numbers.
 *
 * Words are separated by whitespace.  The words of references are numbered.  A hypothesis then has
 * the same ids for the same words, and -1 for words that no reference has.
 */
struct word_ids {
	struct strmap map;		/* the words of the references */
	int32_t *id;			/* [n] the words of the text that was read last */
	size_t n, room;
};

void word_ids_init(struct word_ids *w);
void word_ids_release(struct word_ids *w);
void word_ids_clear(struct word_ids *w);	/* forgets the references */

/*
 * Overwrites w->id with the words of a text of n bytes, which must be valid UTF-8.  With
 * `reference`, words without a number get one; otherwise, they are -1.  With `unicode`, whitespace
 * is that of Unicode, as in Python; otherwise that of ASCII, as in Perl for bytes.
 */
void word_ids_read(struct word_ids *w, const char *s, size_t n, bool reference, bool unicode);

#endif
