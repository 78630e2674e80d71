/*
 * distances: what ops of relative positions share: a table [2k+1,d], the same for all heads, with a
 * row for each distance of a key from its query, clipped to -k ... k; where a sentence has more
 * keys than queries, the last query stands where the last key does.
 *
 * So a query has only so many different products with the table, whatever the number of keys: they
 * are computed once, for the distances that occur, and handed out.
 */
#ifndef DISTANCES_H
#define DISTANCES_H

#include "tape/heads.h"

/* From distances_begin() on; lives as long as what is in the scratch arena. */
struct distances {
	const struct node *block;	/* [H,T,S] a sentence */
	struct node *table;
	int reach;			/* the farthest distance that occurs, at most k */
	real *number;			/* [R,H,2 reach + 1]: one a query, head, distance */
};

/* Is it a table for heads of width / block->heads numbers? */
bool distances_fit(const struct node *block, const struct node *table, int width);
struct distances distances_begin(struct pass *p, const struct node *block, struct node *table);

/* Row of the table for key j of query i of a sentence. */
int distances_row(const struct node *block, const struct node *table, int sentence, int i, int j);

/* Of rows x [R,H*d], ld apart: number = alpha x table'; x = alpha number table + beta x. */
void distances_from_rows(const struct distances *d, struct pass *p, real alpha, const real *x,
			 int ld);
void distances_to_rows(const struct distances *d, struct pass *p, real alpha, real beta, real *x,
		       int ld);
/* Adds alpha number' x to the table's gradient, if it has one. */
void distances_gradient(const struct distances *d, struct pass *p, real alpha, const real *x, int ld);

/* Of cells, one a query, head and key: to = from + the number for the distance; from NULL: 0. */
void distances_to_cells(const struct distances *d, struct pass *p, const real *from, real *to);
/* number = the sums of the cells of each distance. */
void distances_from_cells(const struct distances *d, struct pass *p, const real *cell);

/* What runs over the rows of cells of a sentence: head h, query i, from cell on. */
#define FOR_QUERIES(n, sentence, h, i, cell) \
	for (int h = 0; h < (n)->heads; h++) \
		for (ptrdiff_t i = 0, cell = (n)->block[sentence] + \
			(ptrdiff_t)h * (n)->queries->len[sentence] * (n)->keys->len[sentence]; \
		     i < (n)->queries->len[sentence]; i++, cell += (n)->keys->len[sentence])

#endif
