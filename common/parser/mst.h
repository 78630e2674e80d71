/*
 * mst: the highest-scoring dependency tree, whose arcs may cross, given a score for each arc: the
 * maximum spanning tree.
 *
 * The algorithm is that of Chu and Liu (1965) and Edmonds (1967), in the form with time O(n^2) for
 * dense graphs by Tarjan (1977, Finding Optimum Branchings), corrected by Camerini, Fratta and
 * Maffioli (1979).
 */
#ifndef MST_H
#define MST_H

#include <stddef.h>

#include "base/arena.h"

/*
 * Writes the head of each word to `head` [n], n >= 1.  Words are numbered from 1: head[i - 1] is
 * the head of word i, 0 for the root.  `score[i * ld + h]` is the score of the arc to word i from
 * its head h.  The heads form the tree with the largest sum of scores among all trees with exactly
 * one word whose head is 0.  Row 0 and the diagonal of `score` are ignored.
 *
 * The search is exact.  Of heads with equal scores, a word, or a cycle of words that the algorithm
 * contracts, takes the one with the lowest number.  NaN counts as -inf.  The result is a tree for
 * any scores.  Of all trees it has the largest number of arcs with +inf minus arcs with -inf, then
 * the largest sum of the other scores.  Takes time O(n^2).  If the best heads of all words already
 * form a tree, no memory of `scratch` is used; otherwise 20 (n+1)^2 bytes, which are released on
 * return.
 */
void mst_heads(const float *score, size_t ld, int n, int *head, struct arena *scratch);

#endif
