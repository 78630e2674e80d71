/*
 * tree: a constituency tree over the words of a sentence.
 *
 * Nodes stand in preorder: phrases, pre-terminals (parts of speech) and leaves (words), so a
 * subtree is the stretch from its root to `last`.  Built by opening and closing phrases, (NP (NN
 * dog)) as
 *
 *	tree_open(t, "NP", 2);
 *	tree_open(t, "NN", 2);
 *	tree_leaf(t, "dog", 3);
 *	tree_close(t);
 *	tree_close(t);
 *
 * Nothing recurses: a tree may be as deep as memory goes.
 */
#ifndef TREE_H
#define TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/texts.h"

struct tree_node {
	const char *label;		/* of a leaf: its word */
	int parent;			/* -1 of the first */
	int last;			/* of its subtree, in preorder; itself without children */
	int first, end;			/* words [first, end) */
	bool leaf;
};

/* All zeros: empty. */
struct tree {
	struct tree_node *node;
	int n, n_words;
	size_t room;
	int open;			/* while it is built: the innermost open phrase, or -1 */
	struct texts texts;		/* of the labels */
};

void tree_init(struct tree *t);
void tree_release(struct tree *t);
void tree_clear(struct tree *t);		/* empty, but keeps its room */

/* Texts are copied.  bug() if a leaf stands outside of all phrases or a second root is opened. */
void tree_open(struct tree *t, const char *label, size_t n);
void tree_leaf(struct tree *t, const char *word, size_t n);
void tree_close(struct tree *t);
void tree_drop(struct tree *t);		/* closes the innermost phrase and takes it out whole */

/* Takes the first n nodes off, each of which has the next one as its only child. */
void tree_unwrap(struct tree *t, int n);

/* The parent of a leaf alone: a part of speech. */
bool tree_is_tag(const struct tree *t, int node);
/* The next node that is not below this one; t->n at the end. */
static inline int
tree_after(const struct tree *t, int node)
{
	return t->node[node].last + 1;
}

/* On one line: "(S (NP (PRP He)) ...)", words and labels escaped as ptb.h says; no line end. */
void tree_write(const struct tree *t, struct buf *out);

#endif
