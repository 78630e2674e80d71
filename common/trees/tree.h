/*
 * tree: a constituency tree over the words of a sentence.
 *
 * Nodes are phrases, pre-terminals (part-of-speech tags) and leaves (words), in preorder.  The
 * nodes of a subtree are therefore contiguous: from its root to the member `last` of its root.  A
 * tree is built by opening and closing phrases; (NP (NN dog)) is built by
 *
 *	tree_open(t, "NP", 2);
 *	tree_open(t, "NN", 2);
 *	tree_leaf(t, "dog", 3);
 *	tree_close(t);
 *	tree_close(t);
 *
 * No function is recursive: the depth of a tree is limited only by memory.
 */
#ifndef TREE_H
#define TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/texts.h"

struct tree_node {
	const char *label;		/* of a leaf: the word */
	int parent;			/* node, from 0; -1 for the root */
	int last;			/* the last node of the subtree; of a leaf: the leaf */
	int first, end;			/* the words below the node: first to end - 1, from 0 */
	bool leaf;
};

/* Empty if zero-initialized. */
struct tree {
	struct tree_node *node;		/* [n] in preorder */
	int n, n_words;
	size_t room;
	int open;			/* the innermost open phrase during building, or -1 */
	struct texts texts;		/* owns labels and words */
};

void tree_init(struct tree *t);
void tree_release(struct tree *t);
void tree_clear(struct tree *t);		/* makes the tree empty, keeps its memory */

/*
 * Build a tree.  Labels and words have n bytes, and are copied.  A leaf outside all phrases and a
 * second root end the program with bug() (err.h).
 */
void tree_open(struct tree *t, const char *label, size_t n);
void tree_leaf(struct tree *t, const char *word, size_t n);
void tree_close(struct tree *t);
void tree_drop(struct tree *t);		/* closes the innermost phrase and removes its subtree */

/* Removes the first n nodes.  Each of them must have the next node as its only child. */
void tree_unwrap(struct tree *t, int n);

/* Is the node a part-of-speech tag, that is, a node whose only child is a leaf? */
bool tree_is_tag(const struct tree *t, int node);
/* Returns the first node after the subtree of `node`; t->n if there is none. */
static inline int
tree_after(const struct tree *t, int node)
{
	return t->node[node].last + 1;
}

/* Appends the tree to `out` as "(S (NP (PRP He)) ...)", escaped as in ptb.h, without a line end. */
void tree_write(const struct tree *t, struct buf *out);

#endif
