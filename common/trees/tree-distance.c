/* tree-distance: see tree-distance.h. */
#include "trees/tree-distance.h"

void
tree_depths(const int32_t *head, int n, int *depth)
{
	depth[0] = 0;
	for (int w = 1; w <= n; w++) {
		depth[w] = 0;
		for (int at = w; at; at = head[at - 1])
			depth[w]++;
	}
}

/* The deeper of two nodes moves up until they meet. */
int
tree_distance(const int32_t *head, const int *depth, int a, int b, int limit)
{
	int arcs = 0;

	for (; a != b && arcs < limit; arcs++)
		if (depth[a] >= depth[b])
			a = head[a - 1];
		else
			b = head[b - 1];
	return arcs;
}
