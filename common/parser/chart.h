/*
 * chart: the inner loops of the cubic-time tree decoders.
 *
 * Cell (i,j) of a chart is the maximum over k of left(i,k) + right(k,j).  For fixed i and k, the
 * loop over j is a row operation: cell (i,j) becomes left(i,k) + right(k,j) if that is larger.
 * Rows are contiguous, so this loop is vectorized; a loop over k would not be.
 */
#ifndef CHART_H
#define CHART_H

#include <math.h>

/*
 * For each j < n: if add + row[j] > best[j], sets best[j] to this sum and split[j] to k.  Of equal
 * values, the first one is kept.  A NaN never replaces a value.
 */
void chart_push(float add, const float *row, int k, float *best, int *split, int n);

/* The same without backpointers: best[j] becomes the larger of best[j] and add + row[j]. */
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

#endif
