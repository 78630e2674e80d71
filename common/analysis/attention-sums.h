/*
 * attention-sums: what the attention weights of one head are like, over many sentences.
 *
 * Rows are queries, columns keys.  End symbols are left out on both sides (Voita et al. 2019,
 * section 4 and 5: confidence is without them): a source has its end symbol last if the model
 * puts one there, and the last query of a target predicts the end.  So rows and columns count
 * what is no end symbol:
 *
 *	confidence	mean of a row's greatest weight; over all rows, or over each sentence's mean
 *	entropy		mean over rows of -sum_j w_ij ln w_ij, in nats; of whole rows, the end's column too
 *	distance	sum_ij w_ij |j - i| / sum_ij w_ij (Vig and Belinkov 2019, section 4.3)
 *	offsets		share of the rows i whose greatest weight is in column i + o, of those where there is
 *			such a column (and, in a decoder's self-attention, where it is not in the future);
 *			-OFFSET_MOST <= o <= OFFSET_MOST
 *
 * Of equal weights the first is the greatest; a row without weight (all masked) has none, and its
 * confidence and entropy are 0.
 */
#ifndef ATTENTION_SUMS_H
#define ATTENTION_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "tensor/real.h"

enum { OFFSET_MOST = 5, OFFSETS = 2 * OFFSET_MOST + 1 };

/* One head's weights [queries, keys] in a sentence. */
struct head_weights {
	const real *x;
	int queries, keys;		/* as they stand in x */
	int rows, columns;		/* the first of these, without end symbols */
	bool causal;			/* row i has columns 0 ... i alone */
};

/* The column of row i's greatest weight, or -1. */
int head_weights_best(const struct head_weights *w, int i);

/* All zeros at first. */
struct attention_sums {
	int64_t sentences, rows;	/* those that have rows and columns, and their rows */
	double confidence, confidence_mean;	/* of rows; of sentences' means */
	double entropy, distance, weight;
	int64_t hits[OFFSETS], chances[OFFSETS];	/* offset o at o + OFFSET_MOST */
};

void attention_sums_add(struct attention_sums *s, const struct head_weights *w);

/*
 * The offset that most rows have (of equal ones the nearest, then the one before), and its
 * share.
 */
int attention_sums_offset(const struct attention_sums *s, double *share);
double attention_sums_share(const struct attention_sums *s,
			    int offset);	/* NAN without chances */

#endif
