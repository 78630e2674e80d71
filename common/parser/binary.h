/*
 * binary: binarization of constituency trees, and its inverse.
 *
 * A tree over n words becomes 2n-1 spans in preorder: the whole sentence first, every span before
 * its parts, the left part before the right.
 *
 *	- A phrase with more than two children is binarized to the left: ((a b) c).  The spans that
 *	  this adds have the label BINARY_NONE, and so do words that are not a phrase of their own.
 *	- A unary chain becomes one label, outermost phrase first, with a space between: "S VP".
 *	- Part-of-speech tags and nodes without a label are not phrases.
 *
 * Source: Stern, Andreas and Klein 2017, section 3.
 */
#ifndef BINARY_H
#define BINARY_H

#include "base/arena.h"
#include "trees/tree.h"

#define BINARY_NONE "()"	/* cannot be a label in brackets */

struct binary_span {
	int first, end;			/* words [first, end) */
	const char *label;
};

/*
 * Binarizes a tree with at least one word into `span`[2 n_words - 1] and `tag[n_words]`.  A tag is
 * NULL for a word without one; the array tag may be NULL.  Labels are allocated in `mem`; tags
 * belong to t.
 */
void binary_spans(const struct tree *t, struct arena *mem, struct binary_span *span,
		  const char **tag);

/*
 * The inverse: t, which is cleared first, becomes the tree of these spans, with any labels.
 * `tag[i]` must not be NULL.  If the first label is BINARY_NONE, the root is labeled "X".
 */
void binary_tree(const struct binary_span *span, int n_words, const char *const *word,
		 const char *const *tag, struct arena *scratch, struct tree *t);

#endif
