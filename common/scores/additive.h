/*
 * additive: values of systems over seeds, y = system + seed + error, fitted by least squares.
 *
 * All systems share one residual variance, so that the test of a difference of two systems has the
 * degrees of freedom of all runs.  Runs may be missing.  With two systems and no missing run, the
 * test of a difference is the t test of the differences paired by seed.
 */
#ifndef ADDITIVE_H
#define ADDITIVE_H

#include <stdbool.h>
#include <stddef.h>

/* One run: indexes of its system and its seed, and its value. */
struct additive_run { size_t system, seed; double y; };

struct additive {
	size_t n_systems, n_seeds;
	double df;		/* residual degrees of freedom: runs - systems with runs - seeds
				 * with runs + connected parts of the design */
	double deviation;	/* residual standard deviation; NAN unless df > 0 */
	double bartlett;	/* p of Bartlett's test that all systems have one variance; NAN if
				 * fewer than two systems have two runs, or all variances are 0 */
	double largest;		/* largest absolute residual, divided by deviation; NAN unless
				 * df > 0 and a residual is not 0 */
	double *effect;		/* [n_systems]: the estimated value of the system with the last seed
				 * of its connected part, whose effect is set to 0, so that only
				 * differences within a part have a meaning; NAN without runs */
	double *own;		/* [n_systems]: variance of the system's runs around its mean after
				 * the effects of seeds are subtracted, times S / (S - 1) for S
				 * systems with runs.  The factor corrects for the effects of seeds,
				 * which are estimated from the same runs and thereby lower the
				 * variance.  NAN for fewer than 2 runs, or S < 2 */
	size_t *runs;		/* [n_systems]: the number of its runs */
	double *share;		/* [n_systems, n_seeds]: fraction of the system's runs that have the
				 * seed; 0 without runs */
	double *seed_inverse;	/* [n_seeds, n_seeds]: a generalized inverse of seed_normal */
	double *seed_normal;	/* [n_seeds, n_seeds]: the matrix of the normal equations of the
				 * seeds, after the systems are eliminated */
};

/*
 * Fits the model to n runs, at most one for each system and seed.  Release a with
 * additive_release().
 */
void additive_fit(struct additive *a, const struct additive_run *run, size_t n, size_t n_systems,
		  size_t n_seeds);
void additive_release(struct additive *a);

/* An estimate, its standard error, and the degrees of freedom of a t test. */
struct contrast { double mean, error, df; };

/*
 * The value of system i minus that of system j, with the shared variance.  All members are NAN if
 * the runs do not determine it: a system has no runs, no common seed or chain of other systems and
 * seeds connects the two, or there are no degrees of freedom.
 */
struct contrast additive_contrast(const struct additive *a, size_t i, size_t j);

/*
 * The same, i minus j, with the variances of the two systems, own[i] and own[j], and the degrees of
 * freedom of Welch and Satterthwaite: for systems whose variances differ.  All members are NAN if a
 * system has fewer than 2 runs, or nothing connects the two.
 */
struct contrast additive_contrast_own(const struct additive *a, size_t i, size_t j);

/*
 * The mean of the n values at x minus the mean of the m values at y, of two systems whose runs are
 * not paired by seed (Welch 1947).  All members are NAN if n or m is below 2.
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
