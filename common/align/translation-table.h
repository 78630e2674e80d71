/*
 * translation-table: the probabilities t(f | e) of target words f for the source words e with which
 * they occur in a sentence pair, and their expected counts.
 *
 * Counts are integers in units of 2^-32, which threads add in any order with the same result.
 */
#ifndef TRANSLATION_TABLE_H
#define TRANSLATION_TABLE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "align/bitext.h"

struct pool;

/* A slot: a target word and its probability; `target` is -1 in a free slot. */
struct translation { int target; float p; };

struct translation_table {
	int n_src, n_tgt;
	size_t *first;			/* [n_src + 1] source word e has the slots first[e] to
					 * first[e + 1] - 1, a hash table by target word */
	struct translation *slot;	/* [first[n_src]] */
	_Atomic uint64_t *count;	/* [first[n_src]] expected counts, by slot */
};

/*
 * Makes a table of the pairs that occur, and of the empty word with all target words.  All p are
 * equal, 1 / n_tgt.  A pair takes 24 to 48 bytes.
 */
void translation_table_init(struct translation_table *t, const struct bitext *b, struct pool *p);
void translation_table_release(struct translation_table *t);

/* The slot at which the search for a pair begins, so that callers can prefetch its memory. */
size_t translation_home(const struct translation_table *t, int source, int target);
/* The slot of a pair that occurs in a sentence pair; other pairs are bugs. */
size_t translation_slot(const struct translation_table *t, int source, int target);

/* Adds an expected count, from 0 to 1, to a slot.  Threads may call it at the same time. */
void translation_count(struct translation_table *t, size_t slot, double count);

/*
 * Sets p from the counts c, and the counts to 0.  With `prior` 0, this is the maximum likelihood,
 *
 *	t(f | e) = c(f, e) / sum over f' of c(f', e);
 *
 * with a prior above 0, a variational Bayesian estimate with a symmetric Dirichlet prior on the
 * translations of a word (Riley and Gildea 2012, Improving the IBM alignment models using
 * variational Bayes, equation 6), which gives rare words fewer translations:
 *
 *	t(f | e) = exp(digamma(c(f, e) + prior)) / exp(digamma(sum over f' of (c(f', e) + prior))),
 *
 * where f' are the words that occur with e.
 */
void translation_table_estimate(struct translation_table *t, double prior, struct pool *p);

/* The derivative of the logarithm of the gamma function, for x > 0, to 1e-12 (1 + |value|). */
double digamma(double x);

#endif
