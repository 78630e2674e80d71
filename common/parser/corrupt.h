/*
 * corrupt: spoils a share of a sentence's syntax, to see what depends on it.
 *
 * Both touch each arc or phrase with probability share, on its own; with 0 nothing changes, with
 * 1 all is touched.  The choice is a function of seed and the sentence's number.
 */
#ifndef CORRUPT_H
#define CORRUPT_H

#include <stdint.h>

#include "base/arena.h"
#include "text/tree.h"

/* New labels are drawn from these, each as probable as any other; n is 0: labels stay. */
struct corrupt {
	double share;
	uint64_t seed;
	const char *const *label;
	int n_labels;
};

/*
 * head[i] and rel[i] are of word i+1; head a tree with one word under the root, and that it
 * remains.
 *
 * A word that is touched gets another head and another label.  The heads are those of the tree
 * that is best by random scores in which touched words may not keep theirs and others must: so
 * exceptions to either are as few as can be (in a sentence of two words, touching one turns
 * both).  The label of the word under the root goes to whichever word that becomes; no other word
 * gets it.  rel may be NULL. Time and memory O(n^2).
 */
void corrupt_heads(const struct corrupt *c, uint32_t sentence, int n, int *head, const char **rel,
		   struct arena *scratch);

/*
 * out, another tree, becomes in with a share of its phrases moved: all phrases but the outermost
 * and the tags.  A phrase that is touched falls apart into its mother, and a new one, with a new
 * label, goes around some of the mother's children, at random two or more, but not all and not
 * the same as before; there is none if the mother has no room for it.  Words, tags and the
 * outermost label stay.
 */
void corrupt_tree(const struct corrupt *c, uint32_t sentence, const struct tree *in,
		  struct tree *out, struct arena *scratch);

#endif
