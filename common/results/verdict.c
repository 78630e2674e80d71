/* verdict: see verdict.h. */
#include <math.h>
#include <string.h>

#include "results/verdict.h"
#include "scores/student.h"

const struct difference no_difference = {
	.mean = NAN, .error = NAN, .df = NAN, .low = NAN, .high = NAN, .p = NAN, .p_worse = NAN,
	.tested_df = NAN, .p_own = NAN, .own_error = NAN, .own_df = NAN
};

const char *const verdict_names[] = {
	"not run", "not judged: no test NLL", "not judged: no BLEU",
	"not judged: NLL of different tokens",
	"not judged: both below 1 BLEU", "not judged: one seed", "not judged: equal differences",
	"not judged: A/A rows differ", "not judged: waits for claims of the paper",
	"reversed", "NLL and BLEU disagree", "smaller than reported", "no difference larger than",
	"open", "confirmed"
};

bool
verdict_is_tested(enum verdict v)
{
	return v >= VERDICT_REVERSED;
}

/* --- the rule --- */

static bool
verdict_is_better(const struct evidence *c)
{
	return c->primary_is_loss ? c->primary.mean < c->shift : c->primary.mean > c->shift;
}

/* Whether the interval of BLEU lies on the other side of 0 than the primary difference. */
static bool
is_contradicted(const struct evidence *c)
{
	const struct difference *d = &c->secondary;

	return d->n && (verdict_is_better(c) ? d->high < 0 : d->low > 0);
}

bool
evidence_supports(const struct evidence *c)
{
	return verdict_is_better(c) && !is_contradicted(c);
}

static bool
is_significant(const struct evidence *c)
{
	return c->p < VERDICT_LEVEL && !(c->primary.p_own >= VERDICT_OWN_LEVEL);
}

static bool
lies_within(double low, double high, double margin)
{
	return low > -margin && high < margin;
}

/* Whether BLEU shows a difference beyond its margin, so that equal NLL is not the whole story. */
static bool
differs_in_bleu(const struct evidence *c)
{
	const struct difference *d = &c->secondary;

	return d->n && (d->low > c->secondary_margin || d->high < -c->secondary_margin);
}

double
difference_error_at_look(const struct difference *d, double *df)
{
	*df = d->tested_df;
	return d->tested && *df > 0 ? d->error * sqrt((double)d->n / (double)d->tested) : NAN;
}

/* The interval of the difference lies below the difference that the paper reports. */
static bool
excludes_effect(const struct evidence *c)
{
	double df;
	const double error = difference_error_at_look(&c->secondary, &df);

	if (!(c->effect > 0) || isnan(error) || !(c->level > 0))
		return false;
	return c->secondary.mean + student_point(c->level / 2, df) * error < c->effect;
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
	if (is_significant(c) && is_contradicted(c))
		return VERDICT_SPLIT;
	if (is_significant(c))
		return verdict_is_better(c) ? VERDICT_CONFIRMED : VERDICT_REVERSED;
	if (c->p < VERDICT_LEVEL)	/* not with the own variances */
		return VERDICT_OPEN;
	if (lies_within(c->primary.low, c->primary.high, c->margin))
		return differs_in_bleu(c) ? VERDICT_SPLIT : VERDICT_WITHIN;
	return excludes_effect(c) ? VERDICT_SMALLER : VERDICT_OPEN;
}

/* --- what would decide --- */

/* The part of VERDICT_LEVEL, from 0 to 1, that a test of n seeds may spend. */
static double
share_of_look(const struct look *look, size_t n_looks, size_t n)
{
	for (size_t k = 0; k < n_looks; k++)
		if ((size_t)look[k].seeds == n)
			return look[k].alpha / VERDICT_LEVEL;
	return n_looks ? 0 : 1;
}

/* Whether n seeds would be significant with the own variances, if these are known. */
static bool
own_would_do(const struct evidence *c, size_t n)
{
	const struct difference *d = &c->primary;
	const double error = d->own_error * sqrt((double)d->n / (double)n);
	const double df = d->own_df * (double)(n - 1) / (double)(d->n - 1);

	return isnan(d->p_own) || !(error > 0) ||
	       fabs(d->mean - c->shift) / error > student_point(VERDICT_OWN_LEVEL / 2, df);
}

size_t
evidence_seeds_needed(const struct evidence *c, const struct look *look, size_t n_looks,
		      double level)
{
	const struct difference *d = &c->primary;

	for (size_t n = d->n + 1; d->error > 0 && n <= VERDICT_MAX_SEEDS; n++) {
		const double error = d->error * sqrt((double)d->n / (double)n);
		const double df = d->df + (double)(n - d->n);
		const double share = share_of_look(look, n_looks, n);
		const double half = student_point(VERDICT_LEVEL / 2, df) * error;

		/* Between looks, p is that of the last look. */
		const bool below = share > 0 ? fabs(d->mean - c->shift) / error >
					       student_point(level * share / 2, df)
					     : c->p < VERDICT_LEVEL;

		if (below ? own_would_do(c, n)
			  : lies_within(d->mean - half, d->mean + half, c->margin))
			return n - d->n;
	}
	return 0;
}

/* --- words --- */

void
verdict_put(struct buf *out, enum verdict v, const struct evidence *c, size_t seeds)
{
	buf_add_str(out, verdict_names[v]);
	if (v == VERDICT_WITHIN)
		buf_printf(out, " %g nats", c->margin);
	if (v == VERDICT_OPEN && seeds)
		buf_printf(out, ": %zu more seed%s would decide", seeds, seeds > 1 ? "s" : "");
	else if (v == VERDICT_OPEN)
		buf_add_str(out, ": no feasible number of seeds would decide");
}

const char *
verdict_short(enum verdict v)
{
	return v == VERDICT_WITHIN ? "no difference" : verdict_names[v];
}

bool
verdict_is(const char *cell, enum verdict v)
{
	const size_t n = strlen(verdict_names[v]);

	if (strncmp(cell, verdict_names[v], n))
		return false;
	return !cell[n] || (v == VERDICT_WITHIN && cell[n] == ' ') ||
	       (v == VERDICT_OPEN && cell[n] == ':');
}
