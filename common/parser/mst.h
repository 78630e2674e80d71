/*
 * mst: the best dependency tree, projective or not, from a score for every arc.
 *
 * Chu and Liu 1965, Edmonds 1967; here in the O(n^2) form for dense graphs of Tarjan 1977,
 * Finding optimum branchings, corrected by Camerini, Fratta and Maffioli 1979.
 */
#ifndef MST_H
#define MST_H

#include <stddef.h>

#include "base/arena.h"

/*
 * head[i-1], for the words i = 1 ... n, n >= 1, become the heads, 0 the root, of the tree with
 * the largest sum of score[i*ld + head] among those with exactly one word under the root.  Row 0
 * and the diagonal do not matter.
 *
 * Exact.  A word, or a cycle of words, takes the first of equally good heads.  Of NaN and -inf,
 * which count alike, the tree has as few as can be, then as many +inf as can be, then comes the
 * sum; whatever the scores, the result is such a tree.  Time O(n^2); if every word's best head
 * makes a tree, nothing is taken from scratch, else 20 (n+1)^2 bytes, and it is left as it was
 * found.
 */
void mst_heads(const float *score, size_t ld, int n, int *head, struct arena *scratch);

#endif
