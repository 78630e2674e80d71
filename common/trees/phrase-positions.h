/*
 * phrase-positions: relative phrasal positions in a constituency tree (Zhang, Huang, Feng and Cao
 * 2021, Enlivening redundant heads in multi-head self-attention for machine translation, section
 * 4.1.2).
 *
 * The layer of a word is the number of nodes above it.  The span of a word is the words of the
 * lowest node above it that has more than one word, or else the sentence.  The local phrase of a
 * word is its span and the words that enum phrase_symmetry adds.  The position of word j for word i
 * is the difference of their layers if j is in the local phrase of i, and else undefined.
 */
#ifndef PHRASE_POSITIONS_H
#define PHRASE_POSITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "trees/tree.h"

#define PHRASE_OUTSIDE 127	/* the undefined position: j is not in the local phrase of i */
#define PHRASE_MAX 126		/* positions are clipped to [-PHRASE_MAX, PHRASE_MAX] */

struct phrase_place {
	int layer;
	int first, end;		/* the span: words, or subwords, [first, end) */
};

enum {
	PHRASE_NO_TAGS = 1,	/* part-of-speech tags do not count as layers */
	PHRASE_COLLAPSE = 2	/* a unary chain counts as one layer */
};

/* Sets `word[t->n_words]` to layer and span of each word of a non-empty tree. */
void phrase_places(const struct tree *t, unsigned flags, struct phrase_place *word);

/*
 * Sets `piece[n]` to layer and span of each subword; `word_of[n]` is the word of each, from 0
 * (piece-heads.h).  A subword has the layer of its word, and its span is the subwords of the word's
 * span.  With `deeper`, a word of several subwords is a node: they are one layer below it, and it
 * is their span.
 */
void phrase_pieces(const struct phrase_place *word, const int32_t *word_of, int n, bool deeper,
		   struct phrase_place *piece);

/* The difference of layers: j minus i, i minus j, or its absolute value. */
enum phrase_sign { PHRASE_COL_ROW, PHRASE_ROW_COL, PHRASE_ABS };

/*
 * The words of the local phrase of i in addition to its span: earlier words whose span contains i
 * (the paper's second rule, which is not symmetric); all words whose span contains i; none.
 */
enum phrase_symmetry { PHRASE_LITERAL, PHRASE_FULL, PHRASE_NONE };

/* Sets `position[n,n]`, with row i and column j, for the words or subwords of `place[n]`. */
void phrase_positions(const struct phrase_place *place, int n, enum phrase_sign sign,
		      enum phrase_symmetry symmetry, int8_t *position);

#endif
