/*
 * linearize: a constituency tree over pieces as a sequence of pieces.
 *
 * Either all nodes in preorder, phrases by their labels, each with its parent (McDonald and Chiang
 * 2021); or an ordinary sentence with brackets in it.  Pieces of one word are children of the same
 * node.  A label is one piece, "(NP", so that no word has its place in a vocabulary.
 */
#ifndef LINEARIZE_H
#define LINEARIZE_H

#include <stdint.h>

#include "base/texts.h"
#include "stream/stream.h"
#include "text/tree.h"

enum {
	LINEAR_BARE = 1,	/* labels are "NP" */
	LINEAR_NO_TAGS = 2	/* without parts of speech, unless one is the root */
};

/* The sequence; all zeros: empty. */
struct linear {
	struct str *piece;
	int32_t *parent;		/* of each node, from 0; -1 of the first; no use of brackets */
	int n;
	size_t piece_room, parent_room;
	struct texts texts;		/* of the labels */
	int32_t *number;		/* of the tree's nodes in the sequence */
	size_t number_room;
};

void linear_release(struct linear *l);

/* The words of a sentence as children of one phrase "S", in the place of a tree there is not. */
void linear_flat(struct tree *t, int n_words);

/*
 * piece[n] and the word of each, checked (piece-heads.h) to be those of the tree's words.  The
 * sequence has the given pieces' texts, which outlive it.
 */
void linear_nodes(struct linear *l, const struct tree *t, const struct str *piece,
		  const int32_t *word, int n, unsigned flags);
/* "(NP", its children and ")" of each phrase. */
void linear_brackets(struct linear *l, const struct tree *t, const struct str *piece,
		     const int32_t *word, int n, unsigned flags);

#endif
