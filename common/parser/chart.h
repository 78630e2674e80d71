/*
 * chart: finds trees with the highest score in cubic time, by the algorithms CKY and Eisner, and
 * has the inner loops of these.
 *
 * Cell (i,j) of a chart is the maximum over k of left(i,k) + right(k,j).  For fixed i and k, a loop
 * over j raises the cells of row i to left(i,k) + right(k,j) where that is larger.  Rows are
 * contiguous, so the compiler vectorizes this loop; it would not vectorize a loop over k.
 */
#ifndef CHART_H
#define CHART_H

#include <math.h>
#include <stddef.h>

#include "base/arena.h"
#include "parser/treebank.h"

/*
 * For each j < n: if `add` + `row[j]` > `best[j]`, sets `best[j]` to this sum, and its backpointer
 * `split[j]` to k.  An equal sum or a NaN does not replace a value.
 */
void chart_push(float add, const float *row, int k, float *best, int *split, int n);

/*
 * chart_push() without backpointers: `best[j]` becomes the larger of `best[j]` and `add` +
 * `row[j]`.
 */
void chart_raise(float add, const float *row, float *best, int n);

/* Set n cells to -inf; chart_empty() also sets their backpointers to k. */
void chart_clear(float *best, int n);
void chart_empty(float *best, int *split, int k, int n);

/* A score as the functions below use it: NaN counts as -inf. */
static inline float
chart_score(float x)
{
	return x == x ? x : -INFINITY;
}

/*
 * The highest-scoring binary bracketing of a sentence, given a score for every span.
 *
 * This is the algorithm of Cocke, Kasami and Younger with scores of spans only, as in Stern,
 * Andreas and Klein (2017, A Minimal Span-Based Neural Constituency Parser).  The spans have no
 * labels: the label is 0, and the caller chooses another one.
 */
/*
 * Writes the bracketing of n >= 1 words with the largest sum of scores to `span` [2n - 1], and
 * returns the sum.  The spans are in preorder: the whole sentence first, each span before its two
 * parts, and the left part before the right part.  `score[i * ld + j]` is the score of the span of
 * words i to j - 1, for 0 <= i < j <= n; no other element is read.
 *
 * The search is exact; of equally good splits of a span, it takes the leftmost.  A score of -inf or
 * NaN excludes a span if another bracketing exists; the result is a bracketing for any scores.
 * Takes time O(n^3), and 8 (n+1)^2 bytes of `scratch`, which are released on return.
 */
float cky_spans(const float *score, size_t ld, int n, struct gold_span *span,
		struct arena *scratch);

/*
 * The highest-scoring projective dependency tree, given a score for every arc.
 *
 * This is the algorithm of Eisner (1996, Three New Probabilistic Models for Dependency Parsing).  A
 * word collects its left and its right dependents independently, beginning with the nearest.
 */

/*
 * Writes the head of each word to `head` [n], n >= 1.  Words are numbered from 1: head[i - 1] is
 * the head of word i, 0 for the root.  `score[i * ld + h]` is the score of the arc to word i from
 * its head h.  The heads form the tree with the largest sum of scores among all trees without
 * crossing arcs and with exactly one word whose head is 0.  Returns the sum.  Row 0 and the
 * diagonal of `score` are ignored.
 *
 * The search is exact; of equally good splits it takes the leftmost, and of equally good root words
 * the first.  A score of -inf or NaN excludes an arc if another tree exists; the result is a tree
 * for any scores.  Takes time O(n^3), and 24 (n+1)^2 bytes of `scratch`, which are released on
 * return.
 */
float eisner_heads(const float *score, size_t ld, int n, int *head, struct arena *scratch);

#endif
