/*
 * additive: an additive model of the scores of several systems, each trained with several seeds: y
 * = effect of the system + effect of the seed + error.  It is fitted by least squares, and tests
 * differences of systems.
 *
 * A run is a value y for one system and one seed; some runs may be missing.  All systems share one
 * residual variance, so that the test of a difference of two systems has the degrees of freedom of
 * all runs.  With two systems and no missing run, this test is the paired t test over seeds.
 */
#ifndef ADDITIVE_H
#define ADDITIVE_H

#include <stdbool.h>
#include <stddef.h>

/* One run: index of its system, index of its seed, and its value. */
struct additive_run { size_t system, seed; double y; };

struct additive {
	size_t n_systems, n_seeds;
	double df;		/* residual degrees of freedom: number of runs - systems with runs -
				 * seeds with runs + connected parts of the design; systems are
				 * connected by common seeds */
	double deviation;	/* residual standard deviation; NAN unless df > 0 */
	double bartlett;	/* p-value of Bartlett's test that all systems have the same
				 * variance; NAN if fewer than two systems have two runs, or all
				 * variances are 0 */
	double largest;		/* largest absolute residual, divided by `deviation`; NAN unless df
				 * > 0 and a residual is not 0 */
	double *effect;		/* [n_systems] estimated effect of each system.  In each connected
				 * part, the effect of the last seed is set to 0; therefore, only
				 * differences of systems of the same part have a meaning.  NAN
				 * without runs */
	double *own;		/* [n_systems] separate variance of each system: the sum of its
				 * squared residuals, divided by the mean that this sum has if all
				 * errors have variance 1.  With S systems and no missing run, that
				 * is the variance of its runs after the effects of seeds are
				 * subtracted, times S / (S - 1).  NAN if the mean is 0, as for a
				 * system that has no two seeds in common with others */
	double *own_df;		/* [n_systems] degrees of freedom of `own` by Satterthwaite: twice
				 * the square of that mean, divided by the variance of the sum.
				 * With no missing run, this is the number of runs - 1.  0 if the
				 * mean is 0 */
	size_t *runs;		/* [n_systems] number of runs of each system */
	double *share;		/* private: [n_systems, n_seeds] fraction of the runs of the system
				 * that have the seed; 0 without runs */
	double *seed_inverse;	/* private: [n_seeds, n_seeds] a generalized inverse of
				 * seed_normal */
	double *seed_normal;	/* private: [n_seeds, n_seeds] the matrix of the normal equations of
				 * the seeds, after the systems are eliminated */
};

/*
 * Overwrites *a, and fits the model to `n` runs, at most one for each pair of system and seed.
 * Release `a` with additive_release().
 */
void additive_fit(struct additive *a, const struct additive_run *run, size_t n, size_t n_systems,
		  size_t n_seeds);
void additive_release(struct additive *a);

/* An estimated difference, its standard error, and the degrees of freedom of its t test. */
struct contrast { double mean, error, df; };

/*
 * The effect of system `i` minus that of system `j`; the error is that of the shared variance.  All
 * members are NAN if the runs do not determine the difference, that is, if one of the systems has
 * no runs, if the two are in different connected parts, or if df is 0.
 */
struct contrast additive_contrast(const struct additive *a, size_t i, size_t j);

/*
 * Like additive_contrast(), for systems whose variances differ: each run has the variance `own` of
 * its system, and the degrees of freedom are those of Satterthwaite.  With no missing run, only the
 * variances of the two systems count.  All members are NAN if own[i] or own[j] is NAN, or if the
 * two are in different connected parts.
 */
struct contrast additive_contrast_own(const struct additive *a, size_t i, size_t j);

/*
 * For two systems whose runs are not paired by seed (Welch 1947): the mean of the `n` values in `x`
 * minus the mean of the `m` values in `y`.  All members are NAN if `n` or `m` is below 2.
 */
struct contrast welch_contrast(const double *x, size_t n, const double *y, size_t m);

/*
 * The upper tail probability P(X >= x) of the chi-squared distribution with `df` > 0 degrees of
 * freedom, x >= 0.  This is the incomplete gamma function Q(df/2, x/2), which is computed from a
 * series where x/2 is below df/2 + 1 and as a continued fraction elsewhere (Abramowitz and Stegun
 * 6.5.29, 6.5.31).
 */
double chi_squared_above(double x, double df);

#endif
