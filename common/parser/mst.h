/*
 * mst: the maximum spanning tree, whose arcs may cross, given a score for every arc.
 *
 * Chu and Liu 1965, Edmonds 1967; in the O(n^2) form for dense graphs of Tarjan 1977, Finding
 * optimum branchings, corrected by Camerini, Fratta and Maffioli 1979.
 */
#ifndef MST_H
#define MST_H

#include <stddef.h>

#include "base/arena.h"

/*
 * Writes the heads of words 1 ... n to `head`[0 ... n-1], n >= 1; 0 is the root.  They form the
 * tree with the largest sum of `score`[i*ld + head of i] among all trees with exactly one root
 * word.  Row 0 and the diagonal are ignored.
 *
 * The search is exact.  Of heads with equal scores, a word, or a cycle of words, takes the one with
 * the lowest number.  NaN counts as -inf.  The tree has as few arcs with -inf as possible, then as
 * many with +inf as possible, then the largest sum; the result is a tree for any scores.  Time
 * O(n^2).  If the best head of every word already forms a tree, no scratch memory is used, else 20
 * (n+1)^2 bytes, which are released on return.
 */
void mst_heads(const float *score, size_t ld, int n, int *head, struct arena *scratch);

#endif
