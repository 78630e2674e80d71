/*
 * distances: products and sums by relative position.
 *
 * A table [2k+1,d], shared by the heads, has a row for each distance of a key from its query,
 * clipped to -k ... k.  If a sentence has more keys than queries, the last query has the position
 * of the last key.  With labels, the label of a pair is its row instead, and a sentence without
 * labels has products of 0; k is then at most 127.
 *
 * A query has at most 2k+1 different products with the table.  They are computed once, for the
 * distances that occur, and copied to all keys.
 */
#ifndef DISTANCES_H
#define DISTANCES_H

#include "ops/kit/heads.h"
#include "ops/ops.h"

/* Made by distances_begin(), in the scratch arena. */
struct distances {
	const struct node *block;	/* [H,T,S] for each sentence */
	struct node *table;
	const struct labels *labels;	/* NULL: distances of positions */
	int reach;			/* the maximum distance that occurs, at most k */
	real *value;			/* [R,H,2 reach + 1]: for each query, head and distance */
};

/*
 * Whether the table has rows of `width` / block->heads elements, and one for each label, if
 * `labels` is not NULL.
 */
bool distances_fit(const struct node *block, const struct node *table, const struct labels *labels,
		   int width);
struct distances distances_begin(struct pass *p, const struct node *block, struct node *table,
				 const struct labels *labels);

/* The row of the table for key j and query i of a sentence; -1 without labels. */
int distances_row(const struct node *block, const struct node *table, const struct labels *labels,
		  int sentence, int i, int j);

/* For rows x [R,H*d], ld apart: value = alpha x table'; x = alpha value table + beta x. */
void distances_from_rows(const struct distances *d, struct pass *p, real alpha, const real *x,
			 int ld);
void distances_to_rows(const struct distances *d, struct pass *p, real alpha, real beta, real *x,
		       int ld);
/* Adds alpha value' x to the gradient of the table, if it has one. */
void distances_gradient(const struct distances *d, struct pass *p, real alpha, const real *x,
			int ld);

/* For cells, one for each query, head and key: y = x + value of the distance; x NULL: 0. */
void distances_to_cells(const struct distances *d, struct pass *p, const real *x, real *y);
/* value = the sums of the cells of each distance. */
void distances_from_cells(const struct distances *d, struct pass *p, const real *cell);

#endif
