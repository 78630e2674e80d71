/* additive: see additive.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "scores/additive.h"
#include "scores/moments.h"

enum { MAX_TERMS = 1000 };
#define ROUNDING 1e-9			/* pivots and traces up to this are 0 */

/* --- least squares: the systems are eliminated, the seeds remain --- */

/* Shares of seeds, and means in effect. */
static void
count_runs(struct additive *a, const struct additive_run *run, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		a->runs[run[i].system]++;
		a->effect[run[i].system] += run[i].y;
		a->share[run[i].system * a->n_seeds + run[i].seed]++;
	}
	for (size_t s = 0; s < a->n_systems; s++) {
		a->effect[s] = a->runs[s] ? a->effect[s] / (double)a->runs[s] : NAN;
		for (size_t k = 0; k < a->n_seeds; k++)
			a->share[s * a->n_seeds + k] /= a->runs[s] ? (double)a->runs[s] : 1;
	}
}

/* The normal equations of the seeds, of which right is the right-hand side. */
static void
eliminate_systems(struct additive *a, const struct additive_run *run, size_t n, double *right)
{
	const size_t k = a->n_seeds;

	for (size_t i = 0; i < n; i++) {
		const double *share = a->share + run[i].system * k;

		a->seed_normal[run[i].seed * k + run[i].seed]++;
		right[run[i].seed] += run[i].y - a->effect[run[i].system];
		for (size_t j = 0; j < k; j++)
			a->seed_normal[run[i].seed * k + j] -= share[j];
	}
}

/*
 * Sweeps the symmetric matrix m, skipping pivots that are 0 but for rounding: m becomes a
 * generalized inverse.  Returns the rank.
 */
static size_t
sweep(double *m, size_t n)
{
	size_t rank = 0;

	for (size_t p = 0; p < n; p++) {
		const double pivot = m[p * n + p];

		if (!(pivot > ROUNDING)) {
			for (size_t i = 0; i < n; i++)
				m[i * n + p] = m[p * n + i] = 0;
			continue;
		}
		rank++;
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				if (i != p && j != p)
					m[i * n + j] -= m[i * n + p] * m[p * n + j] / pivot;
		for (size_t i = 0; i < n; i++) {
			m[i * n + p] *= i == p ? 1 : 1 / pivot;
			m[p * n + i] *= i == p ? 1 : 1 / pivot;
		}
		m[p * n + p] = -1 / pivot;
	}
	for (size_t i = 0; i < n * n; i++)
		m[i] = -m[i];
	return rank;
}

/* out = m x, m square of order n. */
static void
additive_multiply(const double *m, const double *x, size_t n, double *out)
{
	for (size_t i = 0; i < n; i++) {
		out[i] = 0;
		for (size_t j = 0; j < n; j++)
			out[i] += m[i * n + j] * x[j];
	}
}

/* --- residuals, and the check of one variance --- */

/* Q(a, x) for x >= a + 1, without its factor, by Lentz's method. */
static double
gamma_fraction(double a, double x)
{
	double b = x + 1 - a, c = 1e300, d = 1 / b, value = d;

	for (int i = 1; i < MAX_TERMS; i++) {
		const double n = -i * (i - a);
		double step;

		b += 2;
		d = 1 / (fabs(n * d + b) < 1e-300 ? 1e-300 : n * d + b);
		c = fabs(b + n / c) < 1e-300 ? 1e-300 : b + n / c;
		step = c * d;
		value *= step;
		if (fabs(step - 1) < 1e-15)
			break;
	}
	return value;
}

/* P(a, x) for x < a + 1, without its factor. */
static double
gamma_series(double a, double x)
{
	double term = 1 / a, sum = term;

	for (int i = 1; i < MAX_TERMS && term > sum * 1e-16; i++) {
		term *= x / (a + i);
		sum += term;
	}
	return sum;
}

double
chi_squared_above(double x, double df)
{
	const double a = df / 2, half = x / 2, front = exp(a * log(half) - half - lgamma(a));

	if (!(half > 0))
		return 1;
	if (isinf(half))
		return 0;
	return half < a + 1 ? 1 - front * gamma_series(a, half) : front * gamma_fraction(a, half);
}

/* Bartlett's test (1937) of the variances own[]; 0 if one of them is 0 and another is not. */
static double
bartlett_of(const struct additive *a)
{
	double all = 0, df = 0, logs = 0, inverse = 0, groups = 0;

	for (size_t s = 0; s < a->n_systems; s++) {
		const double own_df = a->own_df[s];

		if (!(own_df > 0))
			continue;
		groups++;
		df += own_df;
		all += own_df * a->own[s];
		logs += own_df * log(a->own[s]);
		inverse += 1 / own_df;
	}
	if (groups < 2 || !(all > 0))
		return NAN;
	if (isinf(logs))
		return 0;
	return chi_squared_above((df * log(all / df) - logs) /
				 (1 + (inverse - 1 / df) / (3 * (groups - 1))), groups - 1);
}

/*
 * The variance of system s, from the sum of its squared residuals.  If all errors have variance 1,
 * the residuals of the system have the covariances M = I - H, where H is the part of the matrix of
 * the fit: the sum is trace M on average, and its degrees of freedom are (trace M)^2 / trace M^2.
 */
static void
set_own(struct additive *a, size_t s, double sum)
{
	const size_t k = a->n_seeds;
	const double *share = a->share + s * k;
	double *u = xcalloc(k + 1, sizeof(*u)), mean = 0, trace = 0, squares = 0;

	additive_multiply(a->seed_inverse, share, k, u);
	for (size_t i = 0; i < k; i++)
		mean += share[i] * u[i];
	for (size_t i = 0; i < k; i++)
		for (size_t j = 0; j < k && share[i] > 0; j++) {
			const double fit = 1 / (double)a->runs[s] + a->seed_inverse[i * k + j] -
					   u[i] - u[j] + mean, m = (i == j) - fit;

			trace += share[j] > 0 && i == j ? m : 0;
			squares += share[j] > 0 ? m * m : 0;
		}
	free(u);
	a->own[s] = trace > ROUNDING ? sum / trace : NAN;
	a->own_df[s] = trace > ROUNDING ? trace * trace / squares : 0;
}

/* seed: the effects of the seeds. */
static void
set_residuals(struct additive *a, const struct additive_run *run, size_t n, const double *seed)
{
	double sum = 0, largest = 0;

	for (size_t i = 0; i < n; i++) {
		const double r = run[i].y - a->effect[run[i].system] - seed[run[i].seed];

		a->own[run[i].system] += r * r;
		sum += r * r;
		largest = fmax(largest, fabs(r));
	}
	for (size_t s = 0; s < a->n_systems; s++)
		set_own(a, s, a->own[s]);
	a->deviation = a->df > 0 ? sqrt(sum / a->df) : NAN;
	a->largest = a->df > 0 && sum > 0 ? largest / a->deviation : NAN;
	a->bartlett = bartlett_of(a);
}

void
additive_fit(struct additive *a, const struct additive_run *run, size_t n, size_t n_systems,
	     size_t n_seeds)
{
	double *right = xcalloc(n_seeds + 1, sizeof(*right));
	double *seed = xcalloc(n_seeds + 1, sizeof(*seed));
	size_t rank, systems = 0;

	*a = (struct additive) {
		.n_systems = n_systems, .n_seeds = n_seeds,
		.effect = xcalloc(n_systems + 1, sizeof(double)),
		.own = xcalloc(n_systems + 1, sizeof(double)),
		.own_df = xcalloc(n_systems + 1, sizeof(double)),
		.runs = xcalloc(n_systems + 1, sizeof(size_t)),
		.share = xcalloc(n_systems * n_seeds + 1, sizeof(double)),
		.seed_inverse = xcalloc(n_seeds * n_seeds + 1, sizeof(double)),
		.seed_normal = xcalloc(n_seeds * n_seeds + 1, sizeof(double))
	};
	count_runs(a, run, n);
	eliminate_systems(a, run, n, right);
	memcpy(a->seed_inverse, a->seed_normal, n_seeds * n_seeds * sizeof(double));
	rank = sweep(a->seed_inverse, n_seeds);
	additive_multiply(a->seed_inverse, right, n_seeds, seed);
	for (size_t s = 0; s < n_systems; s++) {
		for (size_t k = 0; k < n_seeds; k++)
			a->effect[s] -= a->share[s * n_seeds + k] * seed[k];
		systems += a->runs[s] > 0;
	}
	a->df = (double)n - (double)systems - (double)rank;
	set_residuals(a, run, n, seed);
	free(right);
	free(seed);
}

void
additive_release(struct additive *a)
{
	free(a->effect);
	free(a->own);
	free(a->own_df);
	free(a->runs);
	free(a->share);
	free(a->seed_inverse);
	free(a->seed_normal);
}

/* --- contrasts --- */

/*
 * Sets weight to the weights of the seeds in the difference of systems i and j: an effect of a seed
 * changes the means of the two by different shares, which the other runs of the seed correct.
 * Returns the part of the variance of the difference that is due to the estimated effects of the
 * seeds, in units of the residual variance; NAN if the runs do not determine the difference.
 */
static double
seed_part(const struct additive *a, size_t i, size_t j, double *weight)
{
	const size_t k = a->n_seeds;
	double *w = xcalloc(2 * k + 1, sizeof(*w)), *back = w + k, part = 0;

	for (size_t s = 0; s < k; s++)
		w[s] = a->share[i * k + s] - a->share[j * k + s];
	additive_multiply(a->seed_inverse, w, k, weight);
	additive_multiply(a->seed_normal, weight, k, back);
	for (size_t s = 0; s < k; s++)
		part = fabs(back[s] - w[s]) < 1e-6 ? part + w[s] * weight[s] : NAN;
	free(w);
	return part;
}

static const struct contrast no_contrast = { .mean = NAN, .error = NAN, .df = NAN };

struct contrast
additive_contrast(const struct additive *a, size_t i, size_t j)
{
	double *weight, part;

	if (!a->runs[i] || !a->runs[j] || !(a->df > 0))
		return no_contrast;
	weight = xcalloc(a->n_seeds + 1, sizeof(*weight));
	part = seed_part(a, i, j, weight);
	free(weight);
	if (isnan(part))
		return no_contrast;
	return (struct contrast) {
		.mean = a->effect[i] - a->effect[j], .df = a->df,
		.error = a->deviation * sqrt(1 / (double)a->runs[i] + 1 / (double)a->runs[j] + part)
	};
}

/* The sum of the squared coefficients that the runs of system s have in the difference i - j. */
static double
squared_coefficients(const struct additive *a, size_t i, size_t j, size_t s, const double *weight)
{
	const double *share = a->share + s * a->n_seeds;
	const double own = a->runs[s] ? ((s == i) - (s == j)) / (double)a->runs[s] : 0;
	double mean = 0, sum = 0;

	for (size_t k = 0; k < a->n_seeds; k++)
		mean += share[k] * weight[k];
	for (size_t k = 0; k < a->n_seeds; k++)
		sum += share[k] > 0 ? (own - weight[k] + mean) * (own - weight[k] + mean) : 0;
	return sum;
}

/*
 * The sum of n independent estimated variances is a variance with the degrees of freedom of
 * Satterthwaite; all of them if the variances are 0.
 */
static struct contrast
satterthwaite(double mean, const double *variance, const double *df, size_t n)
{
	double sum = 0, parts = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		sum += variance[i];
		parts += df[i] > 0 ? variance[i] * variance[i] / df[i] : 0;
		all += df[i];
	}
	return (struct contrast) {
		.mean = mean, .error = sqrt(sum), .df = parts > 0 ? sum * sum / parts : all
	};
}

struct contrast
additive_contrast_own(const struct additive *a, size_t i, size_t j)
{
	double *weight, *variance;
	struct contrast c = no_contrast;

	if (isnan(a->own[i]) || isnan(a->own[j]))
		return c;
	weight = xcalloc(a->n_seeds + a->n_systems + 1, sizeof(*weight));
	variance = weight + a->n_seeds;
	if (!isnan(seed_part(a, i, j, weight))) {
		/* A system without residuals has no part in other differences. */
		for (size_t s = 0; s < a->n_systems; s++)
			if (a->own_df[s] > 0)
				variance[s] = a->own[s] * squared_coefficients(a, i, j, s, weight);
		c = satterthwaite(a->effect[i] - a->effect[j], variance, a->own_df, a->n_systems);
	}
	free(weight);
	return c;
}

struct contrast
welch_contrast(const double *x, size_t n, const double *y, size_t m)
{
	struct moments a, b;

	if (n < 2 || m < 2)
		return no_contrast;
	a = moments_of(x, n);
	b = moments_of(y, m);
	return satterthwaite(a.mean - b.mean, (const double[]){
				     a.deviation * a.deviation / (double)n,
				     b.deviation * b.deviation / (double)m
			     }, (const double[]){ (double)n - 1, (double)m - 1 }, 2);
}
