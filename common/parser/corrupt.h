/*
 * corrupt: corrupts a share of the syntax of a sentence, to measure how much a result depends on
 * it.
 *
 * Each arc or phrase is selected independently with probability share: none with 0, all with 1.
 * The selection is a function of seed and the index of the sentence.
 */
#ifndef CORRUPT_H
#define CORRUPT_H

#include <stdint.h>

#include "base/arena.h"
#include "trees/tree.h"

/*
 * The settings.  New labels are drawn uniformly from `label` [n_labels]; if n_labels is 0, labels
 * are not changed.
 */
struct corrupt {
	double share;
	uint64_t seed;
	const char *const *label;
	int n_labels;
};

/*
 * Corrupts `head[n]` and `rel[n]` in place; element i is that of word i+1.  `head` must be a tree
 * with one root word, and the result is one, too.  `rel` may be NULL.
 *
 * A selected word gets another head and another label.  The new heads are the maximum spanning tree
 * of random scores, in which -inf excludes the old heads of selected words, and new heads of all
 * other words.  There are as few exceptions to both as possible: in a sentence of two words,
 * selecting one word changes both.  The label of the root word is moved to the new root word; no
 * other word gets it.  Time and memory O(n^2).
 */
void corrupt_heads(const struct corrupt *c, uint32_t sentence, int n, int *head, const char **rel,
		   struct arena *scratch);

/*
 * Makes out, another tree, a copy of `tree` with a share of its phrases moved.  The root and tags
 * are never selected.  A selected phrase is dissolved: its children become children of its parent.
 * A new phrase with a new label takes a random sequence of two or more children of the parent, but
 * neither all of them nor exactly those of the old phrase.  If the parent has too few children,
 * there is no new phrase.  Words, tags and the label of the root do not change.
 */
void corrupt_tree(const struct corrupt *c, uint32_t sentence, const struct tree *tree,
		  struct tree *out, struct arena *scratch);

#endif
