/*
 * tree-distance: depths and distances in a dependency tree.
 *
 * head[n] is the head of each of n words, from 1, or 0 for a root.  It must have passed dep_check()
 * (conllu.h); several roots are allowed.  Node 0 is above the roots, and node w is word w, from 1.
 */
#ifndef TREE_DISTANCE_H
#define TREE_DISTANCE_H

#include <stdint.h>

/* Sets `depth[n + 1]` to the number of arcs from each node to node 0. */
void tree_depths(const int32_t *head, int n, int *depth);

/*
 * Returns the number of arcs on the path from node `a` to node `b`, but at most `limit`.  `depth`
 * is that of tree_depths().
 */
int tree_distance(const int32_t *head, const int *depth, int a, int b, int limit);

#endif
