/*
 * phrase-positions: layers of words, local phrases and relative phrasal positions (Zhang, Huang,
 * Feng and Cao 2021) from a constituency tree.
 *
 * The layer of a word is the number of nodes above it; its phrase is the words of the lowest node
 * above it that has more than one, or else the sentence.  The position of word j for word i is
 * defined if j is in the phrase of i, and is the difference of their layers.
 */
#ifndef PHRASE_POSITIONS_H
#define PHRASE_POSITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "text/tree.h"

#define PHRASE_OUTSIDE 127	/* in the place of a position: j is outside of the phrase of i */
#define PHRASE_MAX 126	/* positions beyond it, or below its negative, are cut to it */

struct phrase_place {
	int layer;
	int first, end;		/* of the phrase: words, or pieces, [first, end) */
};

enum {
	PHRASE_NO_TAGS = 1,	/* parts of speech do not count as layers */
	PHRASE_COLLAPSE = 2	/* nodes above each other over the same words count as one */
};

/* word[t->n_words] of a tree with words. */
void phrase_places(const struct tree *t, unsigned flags, struct phrase_place *word);

/*
 * The same of pieces: of[n] says of which word, from 0, each is (piece-heads.h).  A piece has the
 * layer of its word and all pieces of its phrase; with deeper, a word that was cut is a node of its
 * own, whose pieces are a layer below it and a phrase.
 */
void phrase_pieces(const struct phrase_place *word, const int32_t *of, int n, bool deeper,
		   struct phrase_place *piece);

/* What the difference of layers is: j's less i's, i's less j's, without sign. */
enum phrase_sign { PHRASE_COL_ROW, PHRASE_ROW_COL, PHRASE_ABS };

/*
 * When j is in the phrase of i, beyond that it stands in it: if it comes before i and i is in its
 * phrase (the paper's second rule, which is not symmetric); whenever i is in its phrase; never.
 */
enum phrase_symmetry { PHRASE_LITERAL, PHRASE_FULL, PHRASE_NONE };

/* position[n,n]: row i, column j. */
void phrase_positions(const struct phrase_place *place, int n, enum phrase_sign sign,
		      enum phrase_symmetry symmetry, int8_t *position);

#endif
