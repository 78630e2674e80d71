/* verdict: see verdict.h. */
#include <math.h>

#include "results/verdict.h"
#include "scores/student.h"

const char *const verdict_names[] = {
	"not run", "not judged: no test NLL", "not judged: no BLEU",
	"not judged: NLL of different tokens",
	"not judged: both below 1 BLEU", "not judged: one seed", "not judged: equal differences",
	"reversed", "NLL and BLEU disagree", "smaller than reported", "inconclusive", "confirmed"
};

/* Differences of recorded numbers that vary by less than this times their mean are equal. */
#define ROUNDING 1e-9

/*
 * Whether all differences are equal, but not to the shift: a t test then has no estimate of the
 * variance.  This is so for copies of one seed.
 */
static bool
are_equal(const double *d, size_t n, double shift)
{
	const struct moments m = moments_of(d, n);

	return m.mean != shift && m.deviation <= ROUNDING * fabs(m.mean);
}

/*
 * One-sided p-value of the t test of "mean of d = shift" against "mean of d > shift"; n > 1.
 * With zero deviation p is 0, 1/2 or 1.
 */
static double
p_above(const double *d, size_t n, double shift)
{
	const struct moments m = moments_of(d, n);
	const double error = m.deviation / sqrt((double)n), t = m.mean - shift;

	if (error > 0)
		return student_above(t / error, (double)(n - 1));
	return t > 0 ? 0 : t < 0 ? 1 : 0.5;
}

/* NAN if all differences are equal, but not to the shift. */
static double
p_two_sided(const double *d, size_t n, double shift)
{
	const double above = p_above(d, n, shift);

	return are_equal(d, n, shift) ? NAN : 2 * fmin(above, 1 - above);
}

/* The mean of all seeds gives the direction; looks with the opposite sign are ignored. */
static double
p_over_looks(const double *d, size_t n, double shift, const struct look *look, size_t n_looks)
{
	const bool above = moments_of(d, n).mean > shift;
	double min_p = 1;

	if (!n_looks || are_equal(d, n, shift))
		return p_two_sided(d, n, shift);
	for (size_t k = 0; k < n_looks; k++) {
		const size_t seeds = (size_t)look[k].seeds;

		if (seeds <= n && (moments_of(d, seeds).mean > shift) == above)
			min_p = fmin(min_p, p_two_sided(d, seeds, shift) * VERDICT_LEVEL /
					    look[k].alpha);
	}
	return min_p;
}

/* The number of seeds of the last test. */
static size_t
n_tested(size_t n, const struct look *look, size_t n_looks)
{
	size_t tested = 0;

	for (size_t k = 0; k < n_looks && (size_t)look[k].seeds <= n; k++)
		tested = (size_t)look[k].seeds;
	return n_looks ? tested : n;
}

struct difference
difference_of(const double *d, size_t n, double shift, const struct look *look, size_t n_looks)
{
	struct difference r = {
		.n = n, .tested = n_tested(n, look, n_looks), .tested_mean = NAN,
		.tested_deviation = NAN, .mean = NAN, .deviation = NAN, .low = NAN, .high = NAN,
		.p = NAN, .p_worse = NAN
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
	if (r.tested) {
		m = moments_of(d, r.tested);
		r.tested_mean = m.mean;
		r.tested_deviation = m.deviation;
	}
	r.p = p_over_looks(d, n, shift, look, n_looks);
	r.p_worse = p_above(d, n, shift);
	return r;
}

/* --- the rule --- */

static bool
is_better(const struct evidence *c)
{
	return c->primary_is_loss ? c->primary.mean < c->shift : c->primary.mean > c->shift;
}

static bool
measures_agree(const struct evidence *c)
{
	return !c->secondary.n || (c->secondary.mean > 0) == is_better(c);
}

bool
evidence_supports(const struct evidence *c)
{
	return is_better(c) && measures_agree(c);
}

/*
 * The whole interval of the difference at the last look lies below the difference that the paper
 * reports.
 */
static bool
excludes_effect(const struct evidence *c)
{
	const struct difference *d = &c->secondary;
	double half;

	if (!(c->effect > 0) || d->tested < 2 || !(c->level > 0))
		return false;
	half = student_point(c->level / 2, (double)(d->tested - 1)) * d->tested_deviation /
	       sqrt((double)d->tested);
	return d->tested_mean + half < c->effect;
}

bool
verdict_is_tested(enum verdict v)
{
	return v >= VERDICT_REVERSED;
}

enum verdict
verdict_of(const struct evidence *c)
{
	if (!c->primary.n)
		return c->secondary.n ? VERDICT_NO_NLL : VERDICT_NOT_RUN;
	if (!verdict_is_tested(c->at_most))
		return c->at_most;
	if (c->primary.n == 1)
		return VERDICT_ONE_SEED;
	if (isnan(c->primary.p))
		return VERDICT_EQUAL;
	if (c->p < VERDICT_LEVEL && !measures_agree(c))
		return VERDICT_SPLIT;
	if (c->p < VERDICT_LEVEL)
		return is_better(c) ? VERDICT_CONFIRMED : VERDICT_REVERSED;
	return excludes_effect(c) ? VERDICT_SMALLER : VERDICT_INCONCLUSIVE;
}
