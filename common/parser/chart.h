/*
 * chart: trees with the highest score, in cubic time: the decoders cky and eisner, and their loops.
 *
 * Cell (i,j) of a chart is the maximum over k of left(i,k) + right(k,j).  For fixed i and k, the
 * loop over j is a row operation: cell (i,j) becomes left(i,k) + right(k,j) if that is larger.
 * Rows are contiguous, so this loop is vectorized; a loop over k would not be.
 */
#ifndef CHART_H
#define CHART_H

#include <math.h>
#include <stddef.h>

#include "base/arena.h"

/*
 * For each j < n: if `add` + `row[j]` > `best[j]`, sets `best[j]` to this sum and `split[j]` to k.
 * Of equal values, the first one is kept.  A NaN never replaces a value.
 */
void chart_push(float add, const float *row, int k, float *best, int *split, int n);

/* The same without backpointers: `best[j]` becomes the larger of `best[j]` and `add` + `row[j]`. */
void chart_raise(float add, const float *row, float *best, int n);

/* Initializes a row of n cells to -inf; chart_empty() also sets all backpointers to k. */
void chart_clear(float *best, int n);
void chart_empty(float *best, int *split, int k, int n);

/* The score that decoders use: NaN counts as -inf. */
static inline float
chart_score(float x)
{
	return x == x ? x : -INFINITY;
}

/*
 * The highest-scoring binary bracketing of a sentence, given a score for every span.
 *
 * The algorithm of Cocke, Kasami and Younger, with scores of spans only, as in Stern, Andreas and
 * Klein 2017, A minimal span-based neural constituency parser.  The caller chooses the labels.
 */
struct cky_span { int first, end; };	/* words [first, end) */

/*
 * Writes the bracketing of n >= 1 words with the largest sum of scores to `span[2n-1]`, and returns
 * the sum.  The spans are in preorder: the whole sentence first, every span before its parts, the
 * left part before the right.  `score[i*ld + j]` is the score of words [i, j), 0 <= i < j <= n; no
 * other element is read.
 *
 * The search is exact; among equal splits it takes the leftmost.  A score of -inf or NaN excludes a
 * span if another bracketing exists; the result is a bracketing for any scores.  Time O(n^3);
 * 8 (n+1)^2 bytes of `scratch`, which are released on return.
 */
float cky_spans(const float *score, size_t ld, int n, struct cky_span *span, struct arena *scratch);

/*
 * The highest-scoring projective dependency tree, given a score for every arc.
 *
 * Eisner 1996, Three new probabilistic models for dependency parsing: a word collects its left and
 * right dependents independently, from the inside out.
 */

/*
 * Writes the heads of words 1 ... n to `head`[0 ... n-1], n >= 1; 0 is the root.  They form the
 * tree with the largest sum of `score`[i*ld + head of i] among all trees without crossing arcs and
 * with exactly one root word.  Returns the sum.  Row 0 and the diagonal are ignored.
 *
 * The search is exact; among equal splits it takes the leftmost, and among equal root words the
 * first.  A score of -inf or NaN excludes an arc if another tree exists; the result is a tree for
 * any scores.  Time O(n^3); 24 (n+1)^2 bytes of `scratch`, which are released on return.
 */
float eisner_heads(const float *score, size_t ld, int n, int *head, struct arena *scratch);

#endif
