/*
 * linearize: converts a constituency tree over subwords to a sequence of tokens.
 *
 * The sequence is either all nodes in preorder, each with its parent (McDonald and Chiang 2021,
 * Syntax-based attention masking for neural machine translation, section 2), or the bracketed tree.
 * The given tree is over words.  In the sequence, its subwords take the place of each word, as
 * children of the parent of the word.
 * The token of label NP is "(NP", so that it differs from a word in the vocabulary.
 */
#ifndef LINEARIZE_H
#define LINEARIZE_H

#include <stdint.h>

#include "base/texts.h"
#include "stream/stream.h"
#include "trees/tree.h"

enum {
	LINEAR_BARE = 1,	/* labels are "NP" instead of "(NP"; "S" for a root without label */
	LINEAR_NO_TAGS = 2,	/* drop part-of-speech tags, unless the tag is the root */
	LINEAR_BRACKETS = 4	/* the bracketed tree, not the nodes */
};

/* The sequence, which linear_release() frees; empty if zero-initialized. */
struct linear {
	struct str *piece;		/* [n] the tokens */
	int32_t *parent;		/* [n] index of the parent's token, -1 for the root */
	int n;
	size_t piece_room, parent_room;
	struct texts texts;		/* owns the labels */
	int32_t *number;		/* [nodes of the tree] index of each phrase and tag in the
					 * sequence; of a dropped tag, that of its parent */
	size_t number_room;
};

void linear_release(struct linear *l);

/*
 * Sets t to a flat tree, for a sentence without a tree: a phrase "S" that has all words as
 * children.  The texts of the words are empty.
 */
void linear_flat(struct tree *t, int n_words);

/*
 * Sets l to the sequence of nodes or, with LINEAR_BRACKETS, to the bracketed tree: a phrase is then
 * "(NP", its children and ")", and all parents are -1.  `piece[n]` are the subwords of the
 * sentence.  `word[n]` is the word of each subword, from 0, and must have passed pieces_check()
 * (piece-heads.h).  `flags` are of the enum above.  The texts of the subwords are not copied, and
 * must outlive l.
 */
void linear_set(struct linear *l, const struct tree *t, const struct str *piece,
		const int32_t *word, int n, unsigned flags);

#endif
