/*
 * additive: values of systems over seeds, y = system + seed + error, fitted by least squares.
 *
 * All systems share one residual variance, so that a difference of two systems is judged by the
 * degrees of freedom of all runs; missing runs are no obstacle.  With two systems and no missing
 * run, the test of a difference is the t test of the differences paired by seed.
 */
#ifndef ADDITIVE_H
#define ADDITIVE_H

#include <stdbool.h>
#include <stddef.h>

/* One run: indexes of its system and its seed, and its value. */
struct additive_run { size_t system, seed; double y; };

struct additive {
	size_t n_systems, n_seeds;
	double df;		/* n - systems - seeds + connected parts of the design */
	double deviation;	/* residual standard deviation; NAN without degrees of freedom */
	double bartlett;	/* p of Bartlett's test that all systems have one variance; NAN if
				 * fewer than two systems have two runs */
	double largest;		/* largest absolute standardized residual; NAN like deviation */
	double *effect;		/* [n_systems]; NAN for a system without runs */
	double *own;		/* [n_systems]: variance of the system's runs around its mean after
				 * the effects of seeds are subtracted, times S / (S - 1) for S
				 * systems, since these effects are fitted to them; NAN for fewer
				 * than 2 runs */
	size_t *runs;		/* [n_systems] */
	double *share;		/* [n_systems, n_seeds]: share of the system's runs with the seed */
	double *seed_inverse;	/* [n_seeds, n_seeds]: a generalized inverse of the normal equations
				 * of the seeds, after the systems are eliminated */
	double *seed_normal;	/* [n_seeds, n_seeds]: these equations */
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
 * The difference of systems i and j with the shared variance.  All members are NAN if the runs do
 * not determine it: no seed connects the two systems, or there are no degrees of freedom.
 */
struct contrast additive_contrast(const struct additive *a, size_t i, size_t j);

/*
 * The same with the variances of the two systems, own[i] and own[j], and the degrees of freedom of
 * Welch and Satterthwaite: for systems whose variances differ.
 */
struct contrast additive_contrast_own(const struct additive *a, size_t i, size_t j);

/*
 * The difference of the means of two systems whose runs have no seed in common that matters (Welch
 * 1947): n values at x, m at y.  NAN if n or m is below 2.
 */
struct contrast welch_contrast(const double *x, size_t n, const double *y, size_t m);

/*
 * The upper tail probability P(X >= x) of the chi-squared distribution with `df` > 0 degrees of
 * freedom, x >= 0: the incomplete gamma function Q(df/2, x/2), as a series below df/2 + 1 and as a
 * continued fraction above (Abramowitz and Stegun 6.5.29, 6.5.31).
 */
double chi_squared_above(double x, double df);

#endif
