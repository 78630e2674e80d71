/*
 * eisner: the best projective dependency tree, from a score for every arc.
 *
 * Eisner 1996, Three new probabilistic models for dependency parsing: words collect their
 * dependents of either side on their own, from the inside out.
 */
#ifndef EISNER_H
#define EISNER_H

#include <stddef.h>

#include "base/arena.h"

/*
 * head[i-1], for the words i = 1 ... n, n >= 1, become the heads, 0 the root, of the tree with
 * the largest sum of score[i*ld + head] among those without crossing arcs and with exactly one
 * word under the root.  Row 0 and the diagonal do not matter.  Returns the sum.
 *
 * Exact; of equally good parts the one that is split further left, and of equally good root words
 * the first.  -inf forbids an arc as long as another tree exists, NaN counts as -inf; whatever
 * the scores, the result is such a tree.  Time O(n^3), 24 (n+1)^2 bytes from scratch, which is
 * left as it was found.
 */
float eisner_heads(const float *score, size_t ld, int n, int *head, struct arena *scratch);

#endif
