/*
 * tree-relations: how the nodes of a tree stand to each other (McDonald and Chiang 2021).
 *
 * Nodes stand in preorder.  parent[n] is the number of each one's parent, -1 of the first, which
 * alone has none; last[n] the last node of each one's subtree, itself if it has no children: node
 * j is below i if i < j and j <= last[i].  Each ordered pair of a query i and a key j has one
 * relation, named by what the key is to the query.
 */
#ifndef TREE_RELATIONS_H
#define TREE_RELATIONS_H

#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

enum tree_relation {		/* these numbers stand in streams: heed-fields(5) */
	TREE_SELF,
	TREE_PARENT,		/* j is the parent of i */
	TREE_CHILD,
	TREE_LEFT_SIBLING,	/* j is another child of i's parent, and before i */
	TREE_RIGHT_SIBLING,
	TREE_ANCESTOR,		/* j is above i, but not its parent */
	TREE_DESCENDANT,
	TREE_LEFT_OTHER,	/* none of these, and before i */
	TREE_RIGHT_OTHER,
	TREE_RELATIONS
};

/* "self", "parent", "child", "left-sib", "right-sib", "anc", "desc", "left-other", "right-other" */
extern const char *const tree_relation_names[TREE_RELATIONS + 1];	/* NULL behind the last */

/* Are these the parents of nodes in preorder?  -1 and e (EXIT_INPUT, nodes from 0). */
int preorder_check(const int32_t *parent, int n, struct err *e) MUST_USE;

void preorder_last(const int32_t *parent, int n, int32_t *last);

/* relation[n,n]: row i, column j.  Time is that of writing it. */
void tree_relations(const int32_t *parent, const int32_t *last, int n, int8_t *relation);

#endif
