/*
 * tree-distance: depths and distances in a dependency tree.
 *
 * head[n] is the head of each word, from 1, or 0 for a root; it must have passed dep_check(), and
 * several roots are allowed.  Node 0 is above the roots, and node w is word w, from 1.
 */
#ifndef TREE_DISTANCE_H
#define TREE_DISTANCE_H

#include <stdint.h>

/* Sets `depth`[0 ... n]: the number of arcs to node 0. */
void tree_depths(const int32_t *head, int n, int *depth);

/* The number of arcs between nodes a and b, or `limit` if there are more. */
int tree_distance(const int32_t *head, const int *depth, int a, int b, int limit);

#endif
