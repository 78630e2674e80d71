/*
 * ngram: counts the n-grams that two texts have in common, with clipping.
 *
 * A text is a sequence of ids, which stand for words or are code points.  The references are added
 * first.  Then the n-grams of a hypothesis are matched; with clipping, an n-gram matches at most as
 * often as it occurs in the reference that contains it most often.
 *
 * The n-grams of the references are kept in a trie, whose edges are in a hash table.  An n-gram
 * costs one lookup and no comparison of texts, and the trie is cleared in constant time.
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
	size_t edges;			/* number of elements of `edge`, a power of two */
	/*
	 * Of an n-gram: `max` is the maximum number of occurrences in one reference, and `now` the
	 * number in the text with the number `text`.
	 */
	struct ngram_node { int32_t max, now; uint32_t text; } *node;
	size_t n, room;			/* n: number of nodes, including the root */
	uint32_t round, text;
};

void ngrams_init(struct ngrams *g);
void ngrams_release(struct ngrams *g);
/* Removes all references. */
void ngrams_clear(struct ngrams *g);

/* Adds a reference of `n` ids, with its n-grams of orders 1 to `order`, at most NGRAM_MAX_ORDER. */
void ngrams_add(struct ngrams *g, const int32_t *id, size_t n, int order);

/*
 * Matches a hypothesis of `n` ids.  `match` is [order]; match[k - 1] is set to the number of
 * n-grams of order k that match.  Negative ids match nothing.
 */
void ngrams_match(struct ngrams *g, const int32_t *id, size_t n, int order, int32_t *match);

/* The number of n-grams of order `order` in a text of `n` ids; 0 if the text is too short. */
size_t ngrams_total(size_t n, int order);

/*
 * Ids of the words of texts, for the functions above.
 *
 * Words are separated by whitespace.  The words of references get numbers as ids.  In a hypothesis,
 * equal words have the same ids, and words that no reference has have the id -1.  A struct of zeros
 * is empty.
 */
struct word_ids {
	struct strmap map;		/* the words of the references */
	int32_t *id;			/* [n] ids of the words of the text that was read last */
	size_t n, room;
};

void word_ids_release(struct word_ids *w);
void word_ids_clear(struct word_ids *w);	/* removes the words of the references */

/*
 * Sets w->id and w->n to the words of the `n` bytes at `s`, which must be valid UTF-8.  If
 * `reference` is true, new words get a new id, else the id -1.  If `unicode` is true, whitespace is
 * that of Unicode, as in Python, else that of ASCII, as in Perl for bytes.
 */
void word_ids_read(struct word_ids *w, const char *s, size_t n, bool reference, bool unicode);

#endif
