/*
 * cky: the highest-scoring binary bracketing of a sentence, given a score for every span.
 *
 * The algorithm of Cocke, Kasami and Younger, with scores of spans only, as in Stern, Andreas and
 * Klein 2017, A minimal span-based neural constituency parser.  The caller chooses the labels.
 */
#ifndef CKY_H
#define CKY_H

#include <stddef.h>

#include "base/arena.h"

struct cky_span { int first, end; };	/* words [first, end) */

/*
 * Writes the bracketing of n >= 1 words with the largest sum of scores to span[2n-1], and returns
 * the sum.  The spans are in preorder: the whole sentence first, every span before its parts, the
 * left part before the right.  score[i*ld + j] is the score of words [i, j), 0 <= i < j <= n; no
 * other element is read.
 *
 * The search is exact; among equal splits it takes the leftmost.  A score of -inf or NaN excludes a
 * span if another bracketing exists; the result is a bracketing for any scores.  Time O(n^3);
 * 8 (n+1)^2 bytes of scratch, which are released on return.
 */
float cky_spans(const float *score, size_t ld, int n, struct cky_span *span, struct arena *scratch);

#endif
