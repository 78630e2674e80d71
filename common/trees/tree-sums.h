/* tree-sums: sums over the trees of a corpus; tree-stats(1) explains each. */
#ifndef TREE_SUMS_H
#define TREE_SUMS_H

#include <stdint.h>

#include "base/buf.h"
#include "trees/conllu.h"
#include "trees/phrase-positions.h"
#include "trees/tree.h"

/* Classes of arc lengths: 1, 2, 3-4, 5-8, 9-16, more. */
enum { TREE_STATS_ARCS = 6 };

/* Zero-initialize it. */
struct tree_sums {
	int64_t sentences, words;
	int64_t cut, pieces;		/* sentences with subwords; their subwords */
	int64_t trees, no_tree;		/* sentences with a tree; with words, but without a tree */
	int64_t phrases, tags, leaves;	/* numbers of nodes of all trees; leaves are subwords or,
					 * without subwords, words */
	int64_t leaf_words, layers;	/* words of the trees; sum of their layers */
	int64_t tops;			/* sum of the maximum layer of each tree */
	int layer_max;
	int64_t heads, no_heads;	/* sentences with heads; with words, but without heads */
	int64_t arcs, arc[TREE_STATS_ARCS];
	struct phrase_place *place;
	size_t place_room;
};

void tree_sums_release(struct tree_sums *s);

/*
 * Adds a sentence: its number of words, its number of subwords (-1 if unknown), its constituency
 * tree and its dependencies; each of the last two may be NULL.
 */
void tree_sums_add(struct tree_sums *s, int n_words, int64_t n_pieces, const struct tree *t,
		   const struct dep_sentence *deps);

/* Append tab-separated columns and a line end to `out`: the header line, a row. */
void tree_sums_names(struct buf *out);
void tree_sums_row(const struct tree_sums *s, const char *name, struct buf *out);

#endif
