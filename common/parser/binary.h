/*
 * binary: constituency trees as labelled binary trees, and back.
 *
 * A tree over n words becomes 2n-1 spans in preorder: the whole first, every span before its parts,
 * the left part before the right.  A phrase of more than two children is taken apart from the
 * right, ((a b) c): what is made so has the label BINARY_NONE, and so has a word that is no phrase
 * of its own.  A chain of phrases over the same words becomes one label, outermost first, with a
 * blank between: "S VP".  Parts of speech are no phrases, and what has no label is none.  (Stern,
 * Andreas and Klein 2017, section 3.)
 */
#ifndef BINARY_H
#define BINARY_H

#include "base/arena.h"
#include "text/tree.h"

#define BINARY_NONE "()"	/* what no label in brackets can be */

struct binary_span {
	int first, end;			/* words [first, end) */
	const char *label;
};

/*
 * span [2 n_words - 1], of a tree with at least one word; tag [n_words], which may be NULL: parts
 * of speech, NULL for a word without.  Labels live in mem, tags in t.
 */
void binary_spans(const struct tree *t, struct arena *mem, struct binary_span *span,
		  const char **tag);

/*
 * The other way: spans as above, whatever their labels; t is cleared first.  tag[i] is not NULL
 * here.  As the first label BINARY_NONE is as good as "X".
 */
void binary_tree(const struct binary_span *span, int n_words, const char *const *word,
		 const char *const *tag, struct arena *scratch, struct tree *t);

#endif
