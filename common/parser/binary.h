/*
 * binary: binarization of constituency trees, and its inverse.
 *
 * A tree over n words becomes 2n - 1 spans in preorder: the whole sentence first, each span before
 * its two parts, and the left part before the right part.
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

#define BINARY_NONE "()"	/* is never the label of a phrase */

struct binary_span {
	int first, end;			/* words `first` to `end` - 1, counted from 0 */
	const char *label;
};

/*
 * Binarizes a tree of n >= 1 words.  Stores the spans in `span` [2n - 1], and the part-of-speech
 * tags in `tag` [n] unless `tag` is NULL.  The tag of a word without a tag is NULL.  Labels are
 * allocated in `mem`; tags belong to t.
 */
void binary_spans(const struct tree *t, struct arena *mem, struct binary_span *span,
		  const char **tag);

/*
 * The inverse: overwrites t with the tree of the 2 n_words - 1 spans in `span`, whose labels may be
 * any.  The word i gets the text `word[i]` and the tag `tag[i]`, which must not be NULL.  If the
 * label of the first span is BINARY_NONE, the root gets the label "X".
 */
void binary_tree(const struct binary_span *span, int n_words, const char *const *word,
		 const char *const *tag, struct arena *scratch, struct tree *t);

#endif
