/* tree-relations: see tree-relations.h. */
#include "trees/tree-relations.h"

#include <stddef.h>
#include <string.h>

const char *const tree_relation_names[TREE_RELATIONS + 1] = {
	"self", "parent", "child", "left-sib", "right-sib", "anc", "desc", "left-other",
	"right-other", NULL
};

/* The parent must be the previous node or an ancestor of it.  No node is visited twice: O(n). */
int
preorder_check(const int32_t *parent, int n, struct err *e)
{
	if (n && parent[0] != -1)
		return err_set(e, EXIT_INPUT, "node 0 has parent %d, expected -1", (int)parent[0]);
	for (int i = 1; i < n; i++) {
		int32_t above = i - 1;

		while (above > parent[i] && above >= 0)
			above = parent[above];
		if (parent[i] < 0 || above != parent[i])
			return err_set(e, EXIT_INPUT,
				       "node %d has parent %d, expected %d or an ancestor of it", i,
				       (int)parent[i], i - 1);
	}
	return 0;
}

void
preorder_last(const int32_t *parent, int n, int32_t *last_below)
{
	for (int i = 0; i < n; i++)
		last_below[i] = i;
	for (int i = n - 1; i > 0; i--)
		if (last_below[parent[i]] < last_below[i])
			last_below[parent[i]] = last_below[i];
}

/* Sets the relation of the children of a node, before and after a given node. */
static void
set_children(const int32_t *last_below, int node, int before, int8_t *row, enum tree_relation left,
	     enum tree_relation right)
{
	for (int32_t c = node + 1; c <= last_below[node]; c = last_below[c] + 1)
		row[c] = (int8_t)(c < before ? left : right);
}

void
tree_relations(const int32_t *parent, const int32_t *last_below, int n, int8_t *relation)
{
	for (int i = 0; i < n; i++) {
		int8_t *row = relation + (size_t)i * (size_t)n;

		memset(row, TREE_LEFT_OTHER, (size_t)i);
		memset(row + i, TREE_DESCENDANT, (size_t)(last_below[i] + 1 - i));
		memset(row + last_below[i] + 1, TREE_RIGHT_OTHER, (size_t)(n - 1 - last_below[i]));
		set_children(last_below, i, 0, row, TREE_CHILD, TREE_CHILD);
		if (parent[i] >= 0)
			set_children(last_below, parent[i], i, row, TREE_LEFT_SIBLING,
				     TREE_RIGHT_SIBLING);
		for (int32_t above = parent[i]; above >= 0; above = parent[above])
			row[above] = TREE_ANCESTOR;
		if (parent[i] >= 0)
			row[parent[i]] = TREE_PARENT;
		row[i] = TREE_SELF;
	}
}
