/*
 * translation-table: the probabilities t(f | e) that source word e is translated to target word f,
 * and the expected counts of these translations.  The table has the pairs (e, f) that occur in a
 * sentence pair.
 *
 * Counts are integers in units of 2^-32, so that threads can add them in any order with the same
 * result.  Words are ids, as in bitext.h.
 */
#ifndef TRANSLATION_TABLE_H
#define TRANSLATION_TABLE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "align/bitext.h"

struct pool;

/* A slot: a target word f and its probability t(f | e).  `target` is -1 in a free slot. */
struct translation { int target; float p; };

struct translation_table {
	int n_src, n_tgt;
	/*
	 * [n_src + 1] The slots of source word e are first[e] to first[e + 1] - 1: a hash table, in
	 * which the key is the target word.
	 */
	size_t *first;
	struct translation *slot;	/* [first[n_src]] */
	_Atomic uint64_t *count;	/* [first[n_src]] expected counts, by slot */
};

/*
 * Makes a table of the pairs that occur in b, and of the empty word with all target words.  All
 * probabilities are 1 / n_tgt.  A pair takes 21 to 43 bytes.  `p` may be NULL (pool.h).
 */
void translation_table_init(struct translation_table *t, const struct bitext *b, struct pool *p);
void translation_table_release(struct translation_table *t);

/*
 * Returns the slot at which the search for a pair begins, so that callers can prefetch its memory.
 */
size_t translation_home(const struct translation_table *t, int source, int target);
/* Returns the slot of a pair that the table has.  For other pairs, the result is undefined. */
size_t translation_slot(const struct translation_table *t, int source, int target);

/*
 * Adds `count`, an expected count from 0 to 1, to that of a slot.  Threads may call the function at
 * the same time.
 */
void translation_count(struct translation_table *t, size_t slot, double count);

/*
 * Estimates the probabilities from the counts c, and sets the counts to 0.  With `prior` 0, this is
 * the maximum likelihood estimate:
 *
 *	t(f | e) = c(f, e) / sum over f' of c(f', e).
 *
 * With `prior` above 0, it is a variational Bayesian estimate with a symmetric Dirichlet prior on
 * the translations of a word (Riley and Gildea 2012, Improving the IBM alignment models using
 * variational Bayes, equation 6), which gives rare words fewer translations:
 *
 *	t(f | e) = exp(digamma(c(f, e) + prior)) / exp(digamma(sum over f' of (c(f', e) + prior))),
 *
 * where f' are the target words with which the table has e.  Probabilities are at least 1e-30.
 */
void translation_table_estimate(struct translation_table *t, double prior, struct pool *p);

/*
 * Returns the derivative of the logarithm of the gamma function, for x > 0, with an error of at
 * most 1e-12 (1 + |result|).
 */
double digamma(double x);

#endif
