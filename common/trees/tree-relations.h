/*
 * tree-relations: relations between the nodes of a tree (McDonald and Chiang 2021, Syntax-based
 * attention masking for neural machine translation, section 2).
 *
 * Nodes are in preorder, and count from 0.  parent[n] has the parent of each of n nodes; only the
 * first node, the root, has -1.  last_below[n] has the last node of the subtree of each node, which
 * is the node itself for a leaf.  So node j is below node i if i < j and j <= last_below[i].  Each
 * pair of a query i and a key j has exactly one relation, which says what the key is to the query.
 */
#ifndef TREE_RELATIONS_H
#define TREE_RELATIONS_H

#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

enum tree_relation {		/* values in streams: heed-fields(5) */
	TREE_SELF,
	TREE_PARENT,		/* j is the parent of i */
	TREE_CHILD,
	TREE_LEFT_SIBLING,	/* j is another child of the parent of i, before i */
	TREE_RIGHT_SIBLING,
	TREE_ANCESTOR,		/* j is an ancestor of i, but not its parent */
	TREE_DESCENDANT,
	TREE_LEFT_OTHER,	/* none of the relations above, and j is before i */
	TREE_RIGHT_OTHER,
	TREE_RELATIONS
};

/* "self", "parent", "child", "left-sib", "right-sib", "anc", "desc", "left-other", "right-other" */
extern const char *const tree_relation_names[TREE_RELATIONS + 1];	/* NULL-terminated */

/*
 * Checks that `parent[n]` is a tree in preorder.  Returns 0, or -1 with EXIT_INPUT and a message
 * that names the wrong node.
 */
int preorder_check(const int32_t *parent, int n, struct err *e) MUST_USE;

/* Computes `last_below[n]` from `parent[n]`. */
void preorder_last(const int32_t *parent, int n, int32_t *last_below);

/*
 * Sets `relation[n,n]`: row i, column j is the relation, of enum tree_relation, of query i and key
 * j.  Takes time O(n^2).
 */
void tree_relations(const int32_t *parent, const int32_t *last_below, int n, int8_t *relation);

#endif
