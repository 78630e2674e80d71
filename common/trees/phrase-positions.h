/*
 * phrase-positions: relative phrasal positions in a constituency tree (Zhang, Huang, Feng and Cao
 * 2021, Enlivening redundant heads in multi-head self-attention for machine translation, section
 * 4.1.2).
 *
 * The layer of a word is the number of nodes above it.  The span of a word is the words below the
 * lowest node above it that has more than one word; if there is no such node, the span is the
 * sentence.  The local phrase of a word is its span and the words that enum phrase_symmetry adds.
 * The position of word j for word i is the difference of their layers if j is in the local phrase
 * of i, and otherwise undefined.  Each of these also applies to subwords, by phrase_pieces().
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
	int first, end;		/* the span: words or subwords first to end - 1, from 0 */
};

enum {
	PHRASE_NO_TAGS = 1,	/* part-of-speech tags do not count as layers */
	PHRASE_COLLAPSE = 2	/* nodes above each other with the same words count as one layer */
};

/*
 * Sets `word[t->n_words]` to the layer and the span of each word of a non-empty tree.  `flags` are
 * of the enum above.
 */
void phrase_places(const struct tree *t, unsigned flags, struct phrase_place *word);

/*
 * Sets `piece[n]` to the layer and the span of each of n subwords.  `word_of[n]` is the word of
 * each subword, from 0; it must have passed pieces_check() (piece-heads.h).  A subword has the
 * layer of its word, and its span is the subwords of the word's span.  If `deeper` is true, a word
 * of several subwords counts as a node: the layer of its subwords is one more, and their span is
 * the subwords of this word.
 */
void phrase_pieces(const struct phrase_place *word, const int32_t *word_of, int n, bool deeper,
		   struct phrase_place *piece);

/*
 * The difference of layers: that of j minus that of i, that of i minus that of j, or the absolute
 * value of the difference.
 */
enum phrase_sign { PHRASE_COL_ROW, PHRASE_ROW_COL, PHRASE_ABS };

/*
 * The words j that the local phrase of i has in addition to the span of i.  PHRASE_LITERAL: words
 * before i whose span contains i (the paper's second rule, which is not symmetric).  PHRASE_FULL:
 * all words whose span contains i.  PHRASE_NONE: none.
 */
enum phrase_symmetry { PHRASE_LITERAL, PHRASE_FULL, PHRASE_NONE };

/*
 * Sets `position[n,n]` to the positions of the words or subwords of `place[n]`: row i, column j is
 * the position of j for i.  Positions are clipped to PHRASE_MAX; undefined ones are PHRASE_OUTSIDE.
 */
void phrase_positions(const struct phrase_place *place, int n, enum phrase_sign sign,
		      enum phrase_symmetry symmetry, int8_t *position);

#endif
