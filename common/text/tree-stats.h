/* tree-stats: sums over the trees of a corpus; tree-stats(1) says what they are for. */
#ifndef TREE_STATS_H
#define TREE_STATS_H

#include <stdint.h>

#include "base/buf.h"
#include "text/conllu.h"
#include "text/phrase-positions.h"
#include "text/tree.h"

/* Lengths of arcs: 1, 2, 3 and 4, 5 to 8, 9 to 16, more. */
enum { TREE_STATS_ARCS = 6 };

/* All zeros at first. */
struct tree_stats {
	int64_t sentences, words;
	int64_t cut, pieces;		/* sentences with pieces, all of these */
	int64_t trees, no_tree;		/* sentences; those with words alone can lack one */
	int64_t phrases, tags, leaves;	/* of the trees; leaves are pieces, or else words */
	int64_t leaf_words, layers;	/* words of the trees, the sum of their layers */
	int64_t tops;			/* the greatest layer of each tree, summed */
	int layer_max;
	int64_t heads, no_heads;	/* sentences */
	int64_t arcs, arc[TREE_STATS_ARCS];
	struct phrase_place *place;
	size_t place_room;
};

void tree_stats_release(struct tree_stats *s);

/*
 * A sentence: its words, its pieces (-1: not cut), and its trees; NULL for one that it has not got.
 */
void tree_stats_add(struct tree_stats *s, int n_words, int64_t n_pieces, const struct tree *t,
		    const struct dep_sentence *deps);

/* Columns with tabs between, and a line end: their names, a row of numbers. */
void tree_stats_names(struct buf *out);
void tree_stats_row(const struct tree_stats *s, const char *name, struct buf *out);

#endif
