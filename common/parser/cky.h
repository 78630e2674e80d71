/*
 * cky: the best binary bracketing of a sentence, from a score for every span.
 *
 * After Cocke, Kasami and Younger; with scores of spans alone as in Stern, Andreas and Klein 2017,
 * A minimal span-based neural constituency parser: a span's label is chosen by whoever scores it.
 */
#ifndef CKY_H
#define CKY_H

#include <stddef.h>

#include "base/arena.h"

struct cky_span { int first, end; };	/* words [first, end) */

/*
 * span[2n-1] becomes the bracketing of n >= 1 words with the largest sum of scores, in preorder:
 * the whole first, every span before its parts, the left part before the right.  score[i*ld + j]
 * is for the words [i, j), 0 <= i < j <= n; others are not read.  Returns the sum.
 *
 * Exact; of equally good parts the one that is split further left.  -inf forbids a span as long as
 * another bracketing exists, NaN counts as -inf; whatever the scores, the result is a bracketing.
 * Time O(n^3), 8 (n+1)^2 bytes from scratch, which is left as it was found.
 */
float cky_spans(const float *score, size_t ld, int n, struct cky_span *span, struct arena *scratch);

#endif
