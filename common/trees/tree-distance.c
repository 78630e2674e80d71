/* tree-distance: see tree-distance.h. */
#include "trees/tree-distance.h"

/* Up to a node whose depth is known, and then the same way again to set the depths. */
void
tree_depths(const int32_t *head, int n, int *depth)
{
	depth[0] = 0;
	for (int w = 1; w <= n; w++)
		depth[w] = -1;
	for (int w = 1; w <= n; w++) {
		int arcs = 0, up = w;

		for (; depth[up] < 0; up = head[up - 1])
			arcs++;
		arcs += depth[up];
		for (up = w; depth[up] < 0; up = head[up - 1])
			depth[up] = arcs--;
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
