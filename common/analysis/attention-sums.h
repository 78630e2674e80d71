/*
 * attention-sums: measures of where one attention head puts its weights, over many sentences.
 *
 * In a matrix of weights, rows are queries and columns are keys.  The measures exclude
 * end-of-sentence tokens on both sides, as in Voita et al. 2019, sections 4 and 5.  These are the
 * last token of a source, if the model adds an end token, and the last query of a target, which
 * predicts the end.  Below, "rows" and "columns" are the queries and keys that remain.
 *
 *	confidence	the maximum weight of a row, averaged over all rows, or first over the rows
 *			of each sentence and then over sentences
 *	entropy		mean over rows of -sum_j w_ij ln w_ij, in nats; this sum includes the
 *			columns of end tokens
 *	distance	sum_ij w_ij |j - i| / sum_ij w_ij (Vig and Belinkov 2019, section 4.3)
 *	offsets		for each offset o, -OFFSET_MAX <= o <= OFFSET_MAX: the share of the rows i
 *			whose maximum is in column i + o, among the rows that have such a column;
 *			in decoder self-attention, columns after i do not count
 *
 * If several columns have the maximum weight of a row, the first one counts as the maximum.  A row
 * whose weights in the columns are all 0, such as a fully masked row, has no maximum; its
 * confidence is 0.
 */
#ifndef ATTENTION_SUMS_H
#define ATTENTION_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "scores/ratio-error.h"
#include "tensor/real.h"

enum { OFFSET_MAX = 5, OFFSETS = 2 * OFFSET_MAX + 1 };

/* The weights [queries, keys] of one head in one sentence. */
struct head_weights {
	const real *x;			/* [queries, keys], dense */
	int queries, keys;		/* the dimensions of x */
	int rows, columns;		/* number of rows and columns that are measured: the first
					 * ones, without end tokens */
	bool causal;			/* decoder self-attention: row i attends to columns 0 ... i
					 * only */
};

/*
 * Returns the column with the maximum weight in row `i`, end tokens excluded; -1 if the weights in
 * all these columns are 0.
 */
int head_weights_best(const struct head_weights *w, int i);

/* Sums over sentences, whose quotients are the measures.  Initialize it with zeros. */
struct attention_sums {
	int64_t sentences, rows;	/* number of sentences with at least one row and one column,
					 * and of their rows */
	double confidence, confidence_mean;	/* sum over rows of the maximum weight; sum over
						 * sentences of its mean */
	double entropy, distance, weight;	/* numerators of entropy and distance; `weight` is
						 * the denominator of distance */
	int64_t hits[OFFSETS], chances[OFFSETS];	/* element o + OFFSET_MAX: number of rows
							 * whose maximum is at offset o, and number
							 * of rows that have a column there */
};

/* Adds the weights of one sentence.  Ignores a sentence without rows or without columns. */
void attention_sums_add(struct attention_sums *s, const struct head_weights *w);

/* Standard errors of the measures over sentences.  Initialize it with zeros. */
struct attention_errors { struct ratio_error confidence, entropy, distance, offset[OFFSETS]; };

/*
 * Adds a sentence; `one` has the sums of this sentence alone.  With `by_sentence`, confidence is
 * averaged first within sentences and then over them; without it, over all rows.
 */
void attention_errors_add(struct attention_errors *sums, const struct attention_sums *one,
			  bool by_sentence);

/*
 * Returns the offset at which most rows have their maximum, and sets *share to its share.  Of
 * offsets with equally many rows, the one nearest to 0 is returned, and of -o and o the negative
 * one.  Without rows, returns 0 and sets *share to NAN.
 */
int attention_sums_offset(const struct attention_sums *s, double *share);
/* The share of an offset, from 0 to 1; NAN if no row has a column at this offset. */
double attention_sums_share(const struct attention_sums *s, int offset);

#endif
