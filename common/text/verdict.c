/* verdict: see verdict.h. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/student.h"
#include "text/verdict.h"

const char *const verdict_names[] = {
	"not run", "no likelihood: not decided", "both below BLEU 1: not decided",
	"one seed: not decided", "reversed", "NLL and BLEU disagree", "no effect of that size",
	"inconclusive", "confirmed"
};

/* P(T > t) of "the mean of d is shift", n > 1; equal differences leave no doubt. */
static double
p_above(const double *d, size_t n, double shift)
{
	const struct moments m = moments_of(d, n);
	const double error = m.deviation / sqrt((double)n), t = m.mean - shift;

	if (error > 0)
		return student_above(t / error, (double)(n - 1));
	return t > 0 ? 0 : t < 0 ? 1 : 0.5;
}

static double
p_two_sided(const double *d, size_t n, double shift)
{
	const double above = p_above(d, n, shift);

	return 2 * fmin(above, 1 - above);
}

/* A look that contradicts the mean of all seeds, which gives the direction, has no say. */
static double
p_over_looks(const double *d, size_t n, double shift, const struct look *look, size_t n_looks)
{
	const bool above = moments_of(d, n).mean > shift;
	double least = 1;

	if (!n_looks)
		return p_two_sided(d, n, shift);
	for (size_t k = 0; k < n_looks; k++) {
		const size_t seeds = (size_t)look[k].seeds;

		if (seeds <= n && (moments_of(d, seeds).mean > shift) == above)
			least = fmin(least, p_two_sided(d, seeds, shift) * VERDICT_LEVEL /
					    look[k].alpha);
	}
	return least;
}

struct difference
difference_of(const double *d, size_t n, double shift, const struct look *look, size_t n_looks)
{
	struct difference r = {
		.n = n, .mean = NAN, .deviation = NAN, .low = NAN, .high = NAN, .p = NAN,
		.p_worse = NAN
	};
	struct moments m;
	double half;

	if (!n)
		return r;
	m = moments_of(d, n);
	r.mean = m.mean;
	if (n == 1)
		return r;
	half = student_point(VERDICT_LEVEL / 2, (double)(n - 1)) * m.deviation / sqrt((double)n);
	r.deviation = m.deviation;
	r.low = m.mean - half;
	r.high = m.mean + half;
	r.p = p_over_looks(d, n, shift, look, n_looks);
	r.p_worse = p_above(d, n, shift);
	return r;
}

/* --- Holm --- */

struct ranked { double p; size_t at; };

static int
by_p(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->at > y->at) - (x->at < y->at);
}

void
holm(double *p, double *level, size_t n)
{
	struct ranked *r = xcalloc(n + 1, sizeof(*r));
	double above = 0;
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		level[i] = NAN;
		if (!isnan(p[i]))
			r[m++] = (struct ranked) { .p = p[i], .at = i };
	}
	qsort(r, m, sizeof(*r), by_p);
	for (size_t k = 0; k < m; k++) {
		above = fmax(above, fmin(1, r[k].p * (double)(m - k)));
		p[r[k].at] = above;
		level[r[k].at] = VERDICT_LEVEL / (double)(m - k);
	}
	free(r);
}

/* --- the rule --- */

/* The paper's effect is outside of the interval, on the side of less. */
static bool
excludes_effect(const struct evidence *c)
{
	return c->effect > 0 && c->secondary.n > 1 && c->secondary.high < c->effect;
}

enum verdict
verdict_of(const struct evidence *c)
{
	bool better;

	if (!c->primary.n)
		return c->secondary.n ? VERDICT_NO_NLL : VERDICT_NOT_RUN;
	if (c->poor)
		return VERDICT_POOR;
	if (c->primary.n == 1)
		return VERDICT_ONE_SEED;
	better = c->primary_is_loss ? c->primary.mean < c->shift : c->primary.mean > c->shift;
	if (c->p < VERDICT_LEVEL && c->secondary.n && (c->secondary.mean > 0) != better)
		return VERDICT_SPLIT;
	if (c->p < VERDICT_LEVEL)
		return better ? VERDICT_CONFIRMED : VERDICT_REVERSED;
	return excludes_effect(c) ? VERDICT_NO_EFFECT : VERDICT_INCONCLUSIVE;
}
