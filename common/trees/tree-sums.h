/*
 * tree-sums: sums over the trees of a corpus, for the table of tree-stats(1), which explains its
 * columns.
 */
#ifndef TREE_SUMS_H
#define TREE_SUMS_H

#include <stdint.h>

#include "base/buf.h"
#include "trees/conllu.h"
#include "trees/phrase-positions.h"
#include "trees/tree.h"

/* The number of classes of arc lengths, in words: 1, 2, 3-4, 5-8, 9-16, more. */
enum { TREE_STATS_ARCS = 6 };

/* Zero-initialize it. */
struct tree_sums {
	int64_t sentences, words;
	int64_t cut, pieces;		/* sentences with subwords; number of these subwords */
	int64_t trees, no_tree;		/* sentences with a tree; with words, but without a tree */
	int64_t phrases, tags, leaves;	/* numbers of nodes of all trees; leaves are subwords or,
					 * without subwords, words */
	int64_t leaf_words, layers;	/* words of the trees; sum of the layers of these words
					 * (phrase-positions.h) */
	int64_t tops;			/* sum of the maximum layer of each tree */
	int layer_max;			/* maximum layer of all words */
	int64_t heads, no_heads;	/* sentences with heads; with words, but without heads */
	int64_t arcs, arc[TREE_STATS_ARCS];	/* arcs, without those of roots: all, by class */
	struct phrase_place *place;	/* scratch */
	size_t place_room;
};

void tree_sums_release(struct tree_sums *s);

/*
 * Adds a sentence to the sums: its number of words, its number of subwords, which is -1 if unknown,
 * its constituency tree, and its dependencies.  `t` and `deps` may be NULL.
 */
void tree_sums_add(struct tree_sums *s, int n_words, int64_t n_pieces, const struct tree *t,
		   const struct dep_sentence *deps);

/*
 * Append a line of tab-separated columns to `out`: the line of column names, and a row with `name`
 * in the first column.
 */
void tree_sums_names(struct buf *out);
void tree_sums_row(const struct tree_sums *s, const char *name, struct buf *out);

#endif
