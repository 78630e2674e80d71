/*
 * linearize: converts a constituency tree over subwords to a sequence of tokens.
 *
 * The sequence is either all nodes in preorder, each with its parent (McDonald and Chiang 2021,
 * Syntax-based attention masking for neural machine translation, section 2), or an ordinary
 * sentence with brackets.  The subwords of a word are children of the same node.  The token of a
 * label is "(NP", so that it differs from a word in the vocabulary.
 */
#ifndef LINEARIZE_H
#define LINEARIZE_H

#include <stdint.h>

#include "base/texts.h"
#include "stream/stream.h"
#include "trees/tree.h"

enum {
	LINEAR_BARE = 1,	/* labels are "NP" instead of "(NP"; a root without label: "S" */
	LINEAR_NO_TAGS = 2	/* drop part-of-speech tags, except one that is the root */
};

/* The sequence, which linear_release() frees; empty if zero-initialized. */
struct linear {
	struct str *piece;		/* [n] the tokens */
	int32_t *parent;		/* [n] index of the parent, -1 for the root */
	int n;
	size_t piece_room, parent_room;
	struct texts texts;		/* owns the labels */
	int32_t *number;		/* [nodes of the tree] their index in the sequence */
	size_t number_room;
};

void linear_release(struct linear *l);

/*
 * Sets t to a flat tree for a sentence without a tree: a phrase "S" with all words, whose texts are
 * empty, as children.
 */
void linear_flat(struct tree *t, int n_words);

/*
 * Set l to the sequence of nodes, or of words and brackets: "(NP", its children and ")".
 * `piece[n]` are the subwords, `word[n]` the word of each, which must have passed pieces_check()
 * (piece-heads.h).  The texts of the subwords are not copied, and must outlive l.  In a sequence of
 * brackets, all parents are -1.
 */
void linear_nodes(struct linear *l, const struct tree *t, const struct str *piece,
		  const int32_t *word, int n, unsigned flags);
void linear_brackets(struct linear *l, const struct tree *t, const struct str *piece,
		     const int32_t *word, int n, unsigned flags);

#endif
