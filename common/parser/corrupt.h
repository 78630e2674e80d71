/*
 * corrupt: corrupts a share of the arcs or phrases of a sentence, to measure how much a result
 * depends on correct syntax.
 *
 * Each arc or phrase is selected at random, independently of the others, with probability `share`.
 * The selection is a function of the seed and the index of the sentence.  With a larger share, the
 * same arcs and phrases are selected, and more.
 */
#ifndef CORRUPT_H
#define CORRUPT_H

#include <stdint.h>

#include "base/arena.h"
#include "trees/tree.h"

/*
 * The settings.  New labels of arcs or phrases are drawn uniformly from `label` [n_labels]; if
 * n_labels is 0, only the relation of the old root word is used, for the new one.
 */
struct corrupt {
	double share;
	uint64_t seed;
	const char *const *label;
	int n_labels;
};

/*
 * Corrupts the heads `head` [n] and the relations `rel` [n] of n words in place.  Element i is that
 * of word i + 1, and the head of the root word is 0.  `head` must be a tree with one root word, and
 * the result is such a tree, too.  `rel` may be NULL.  `sentence` is the index of the sentence.
 *
 * A selected word gets another head and another relation.  The new heads are the maximum spanning
 * tree of random scores (mst.h), in which a score of -inf excludes the old head of a selected word,
 * and each new head of other words.  If no tree satisfies this, the result has as few exceptions as
 * possible: in a sentence of two words, the selection of one word changes both heads.  The relation
 * of the old root word is given to the new root word and to no other word.  Takes time and memory
 * O(n^2).
 */
void corrupt_heads(const struct corrupt *c, uint32_t sentence, int n, int *head, const char **rel,
		   struct arena *scratch);

/*
 * Overwrites `out` with a copy of `tree` in which the selected phrases are moved.  The root and
 * part-of-speech tags are never selected.  A selected phrase is dissolved: its children become
 * children of its parent.  Then a new phrase, with another label, gets a random sequence of at
 * least two children of the parent, but neither all of them nor exactly those of the old phrase.
 * If the parent then has fewer than three children, there is no new phrase.  Words, tags and the
 * label of the root do not change.  `out` and `tree` must be different trees.
 */
void corrupt_tree(const struct corrupt *c, uint32_t sentence, const struct tree *tree,
		  struct tree *out, struct arena *scratch);

#endif
