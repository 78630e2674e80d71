/*
 * attention-sums: measures of the attention weights of one head, over many sentences.
 *
 * Rows are queries, columns are keys.  End-of-sentence tokens are excluded on both sides, as in
 * Voita et al. 2019, sections 4 and 5: the last token of a source, if the model adds an end token,
 * and the last query of a target, which predicts the end.  Below, "rows" and "columns" are the
 * queries and keys without these.
 *
 *	confidence	mean of the maximum weight of a row, over all rows, or over the means of
 *			each sentence
 *	entropy		mean over rows of -sum_j w_ij ln w_ij, in nats, with the column of the end
 *	distance	sum_ij w_ij |j - i| / sum_ij w_ij (Vig and Belinkov 2019, section 4.3)
 *	offsets		share of the rows i whose maximum is in column i + o, among the rows with
 *			such a column (which is not in the future in decoder self-attention);
 *			-OFFSET_MAX <= o <= OFFSET_MAX
 *
 * Where weights tie for the maximum, the first of them counts.  A row whose weights are all 0
 * (fully masked) has no maximum; its confidence and entropy are 0.
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
	int rows, columns;		/* the first of them, without end-of-sentence tokens */
	bool causal;			/* row i attends to columns 0 ... i only */
};

/* The column of the maximum weight of row i, or -1 if all weights are 0. */
int head_weights_best(const struct head_weights *w, int i);

/* Sums over sentences, of which the measures are quotients.  Initialize it with zeros. */
struct attention_sums {
	int64_t sentences, rows;	/* numbers of sentences with rows and columns, and of their
					 * rows */
	double confidence, confidence_mean;	/* sum over rows; sum of sentence means */
	double entropy, distance, weight;	/* weight: sum of weights, for distance */
	int64_t hits[OFFSETS], chances[OFFSETS];	/* rows with the maximum at offset o, and
							 * rows that have this column, at index o +
							 * OFFSET_MAX */
};

/* Adds one sentence. */
void attention_sums_add(struct attention_sums *s, const struct head_weights *w);

/* Standard errors of the measures over sentences.  Initialize it with zeros. */
struct attention_errors { struct ratio_error confidence, entropy, distance, offset[OFFSETS]; };

/*
 * Adds a sentence, given the sums over this one alone.  With `by_sentence`, confidence is the mean
 * of sentence means.
 */
void attention_errors_add(struct attention_errors *sums, const struct attention_sums *one,
			  bool by_sentence);

/*
 * The most frequent offset, and its share in *share.  Among equally frequent offsets it is the
 * nearest one, then the negative one.  Without rows, it is 0 with share NAN.
 */
int attention_sums_offset(const struct attention_sums *s, double *share);
/* The share of an offset; NAN if no row has such a column. */
double attention_sums_share(const struct attention_sums *s, int offset);

#endif
