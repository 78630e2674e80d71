/*
 * rank-correlation: Spearman's and Kendall's coefficients of two measures, with p-values.
 *
 *	rho	Spearman's rho: Pearson's correlation of ranks; equal values share their mean rank
 *	tau	Kendall's tau-b: (C - D) / sqrt((N - X) (N - Y)) over N pairs of items, with C
 *		concordant and D discordant pairs, X ties in the first measure and Y in the second
 *		(Kendall 1945, The treatment of ties in ranking problems)
 *
 * A p-value is the fraction of the permutations of one measure that give a coefficient at least as
 * far from 0.  This is valid for few items and for ties.  For up to RANKS_EXACT items, all
 * permutations are computed.  For more, random permutations are, and the observed order counts as
 * one of them (Phipson and Smyth 2010, Permutation p-values should never be zero).
 */
#ifndef RANK_CORRELATION_H
#define RANK_CORRELATION_H

#include <stddef.h>
#include <stdint.h>

enum { RANKS_EXACT = 7 };

/* Sets `rank` [n] to the ranks of the values, from 1; equal values share their mean rank. */
void ranks_of(const double *x, size_t n, double *rank);

struct rank_correlation {
	double rho, rho_p, tau, tau_p;	/* NAN if a measure is constant, or n < 2 */
};

struct permutations {
	int64_t n;			/* number of random permutations, not used for up to
					 * RANKS_EXACT items */
	uint64_t seed;
	uint32_t step;			/* the step of the random numbers (base/rng.h) */
};

/* The coefficients of n items with the values x[i] and y[i]. */
struct rank_correlation rank_correlate(const double *x, const double *y, size_t n,
				       const struct permutations *p);

#endif
