/*
 * rank-correlation: do two measures put things into the same order?
 *
 *	rho	Spearman's: Pearson's correlation of ranks; of equal numbers each has the mean of their ranks
 *	tau	Kendall's tau-b: (C - D) / sqrt((N - X) (N - Y)) over the N pairs of things, C of which both
 *		measures order alike and D not, X being equal in the first and Y in the second
 *		(Kendall 1945, The treatment of ties in ranking problems)
 *
 * How probable a value this far from 0 or farther is by chance comes from permutations of one
 * of the measures, so that it is right for few things and for ties: all of them for up to
 * RANKS_EXACT things, for more so many at random, the order that is there counted as one of
 * them (Phipson and Smyth 2010, Permutation p-values should never be zero).
 */
#ifndef RANK_CORRELATION_H
#define RANK_CORRELATION_H

#include <stddef.h>
#include <stdint.h>

enum { RANKS_EXACT = 7 };

void ranks_of(const double *x, size_t n, double *rank);		/* from 1 */

struct rank_correlation {
	double rho, rho_p, tau, tau_p;	/* NAN: one of the measures is constant, or n < 2 */
};

struct permutations {
	int64_t n;			/* at random */
	uint64_t seed;
	uint32_t step;			/* addresses the random numbers */
};

struct rank_correlation rank_correlate(const double *x, const double *y, size_t n,
				       const struct permutations *p);

/*
 * Holm's adjustment (1979): of n probabilities, those that stay below a level are wrong all
 * together with no more than that probability.  NANs stay and do not count; out may be p.
 */
void holm_adjust(const double *p, size_t n, double *out);

#endif
