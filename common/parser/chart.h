/*
 * chart: the step that the cubic tree decoders share.
 *
 * A cell (i,j) of a chart is the best over all k of left(i,k) + right(k,j).  With i and k fixed
 * the rest is a row: every j takes left(i,k) + right(k,j) if that is better.  Rows are
 * contiguous, so this runs in vectors, which a maximum over k would not.
 */
#ifndef CHART_H
#define CHART_H

#include <math.h>

/*
 * Where add + row[j] > best[j], 0 <= j < n, best[j] becomes that and from[j] becomes k.  So of
 * equals the first stays, and a NaN is never better than anything.
 */
void chart_push(float add, const float *row, int k, float *best, int *from, int n);

/* The larger of best[j] and add + row[j], without asking whence. */
void chart_raise(float add, const float *row, float *best, int n);

/* A row of n cells to which nothing came yet: -inf; from k, if it is asked whence. */
void chart_clear(float *best, int n);
void chart_empty(float *best, int *from, int k, int n);

/* What a decoder makes of a score: NaN counts as -inf. */
static inline float
chart_score(float x)
{
	return x == x ? x : -INFINITY;
}

#endif
