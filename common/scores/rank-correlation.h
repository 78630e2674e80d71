/*
 * rank-correlation: Spearman's and Kendall's coefficients of two measures, with p-values.
 *
 *	rho	Spearman's rho: Pearson's correlation of ranks; equal values share their mean rank
 *	tau	Kendall's tau-b: (C - D) / sqrt((N - X) (N - Y)) over N pairs of items, with C
 *		concordant and D discordant pairs, X ties in the first measure and Y in the second
 *		(Kendall 1945, The treatment of ties in ranking problems)
 *
 * A p-value is the fraction of the permutations of one measure whose coefficient is at least as far
 * from 0 as that of the observed order.  Unlike approximations, this is exact for few items and for
 * ties.  For up to RANKS_EXACT items, all permutations are used.  For more items, random
 * permutations are used, and the observed order counts as one of them (Phipson and Smyth 2010,
 * Permutation p-values should never be zero).
 */
#ifndef RANK_CORRELATION_H
#define RANK_CORRELATION_H

#include <stddef.h>
#include <stdint.h>

enum { RANKS_EXACT = 7 };

/*
 * Sets `rank` [n] to the ranks of the `n` values in `x`; the lowest value has rank 1.  Equal values
 * get the mean of their ranks.  Returns the number of pairs of equal values.
 */
double ranks_of(const double *x, size_t n, double *rank);

struct rank_correlation {
	double rho, rho_p, tau, tau_p;	/* coefficients and their p-values; NAN if a measure is
					 * constant, or for fewer than two items */
};

struct permutations {
	int64_t n;			/* number of random permutations; not used for up to
					 * RANKS_EXACT items */
	uint64_t seed;
	uint32_t step;			/* number that, with the seed, chooses the random numbers
					 * (base/rng.h); different tests should have different
					 * steps */
};

/* Returns the coefficients and p-values of `n` items; item i has the values x[i] and y[i]. */
struct rank_correlation rank_correlate(const double *x, const double *y, size_t n,
				       const struct permutations *p);

#endif
