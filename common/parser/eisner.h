/*
 * eisner: the highest-scoring projective dependency tree, given a score for every arc.
 *
 * Eisner 1996, Three new probabilistic models for dependency parsing: a word collects its left and
 * right dependents independently, from the inside out.
 */
#ifndef EISNER_H
#define EISNER_H

#include <stddef.h>

#include "base/arena.h"

/*
 * Writes the heads of words 1 ... n to head[0 ... n-1], n >= 1; 0 is the root.  They form the tree
 * with the largest sum of score[i*ld + head of i] among all trees without crossing arcs and with
 * exactly one root word.  Returns the sum.  Row 0 and the diagonal are ignored.
 *
 * The search is exact; among equal splits it takes the leftmost, and among equal root words the
 * first.  A score of -inf or NaN excludes an arc if another tree exists; the result is a tree for
 * any scores.  Time O(n^3); 24 (n+1)^2 bytes of scratch, which are released on return.
 */
float eisner_heads(const float *score, size_t ld, int n, int *head, struct arena *scratch);

#endif
