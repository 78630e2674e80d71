/* claims: see claims.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "results/claims.h"
#include "results/paper-test.h"
#include "results/table-cells.h"
#include "scores/holm.h"
#include "scores/student.h"

/* Below this BLEU little more than punctuation matches the reference. */
#define POOR_BLEU 1.0

/* --- one comparison --- */

/* Whether a claim is tested on the NLL, and BLEU must agree. */
static bool
needs_nll(const struct claim *c)
{
	return measure_of_bleu(c->measure) && !(c->section->within > 0);
}

/* Keeps the pairs in which both runs have the measure; returns their number. */
static size_t
keep_with(struct run_pair *pair, size_t n, const char *measure)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(facts_number(pair[i].run, measure)) &&
		    !isnan(facts_number(pair[i].base, measure)))
			pair[kept++] = pair[i];
	return kept;
}

/* Mean over the seeds of the better system.  If that is below POOR_BLEU, differences are noise. */
static double
better_mean(const struct run_pair *pair, size_t n, const char *measure)
{
	double of_run = 0, of_base = 0;

	for (size_t i = 0; i < n; i++) {
		of_run += facts_number(pair[i].run, measure);
		of_base += facts_number(pair[i].base, measure);
	}
	return n ? fmax(of_run, of_base) / (double)n : NAN;
}

static void
note_epochs(struct claim_base *c, const struct facts *run)
{
	const double epochs = facts_number(run, "epochs");

	c->epochs_low = fmin(c->epochs_low, epochs);
	c->epochs_high = fmax(c->epochs_high, epochs);
}

/*
 * The NLL of the seeds that have both measures becomes the primary measure.  Without such a seed,
 * the measure that is there is shown, but not judged.
 */
static void
compare_nll(struct claim_base *c, const struct outcomes *o, const struct claim *of,
	    struct run_pair *pair)
{
	struct evidence *v = &c->evidence;
	const size_t n = outcomes_pairs(o, of->row->variant, c->base, of->column, "test.nll", pair);

	v->secondary = v->primary;
	if (n && !v->secondary.n)
		v->at_most = VERDICT_NO_BLEU;
	v->primary_is_loss = true;
	v->primary = outcomes_difference(o, pair, v->secondary.n ? keep_with(pair, n, of->measure)
								 : n, 0);
}

static int
compare(struct claim_base *c, const struct outcomes *o, const struct claim *of,
	struct run_pair *pair, struct err *e)
{
	const double within = of->section->within;
	const char *variant = of->row->variant;
	struct evidence *v = &c->evidence;
	size_t n, both;

	*v = (struct evidence) {
		.primary_is_loss = measure_of_loss(of->measure), .p = NAN,
		.at_most = VERDICT_CONFIRMED,
		.effect = outcomes_paper_effect(o, of->section->paper, variant, c->base,
						of->measure, of->column)
	};
	v->shift = v->primary_is_loss ? within : -within;
	c->epochs_low = c->epochs_high = c->p_test = NAN;
	n = outcomes_pairs(o, variant, c->base, of->column, of->measure, pair);
	both = needs_nll(of) ? keep_with(pair, n, "test.nll") : n;
	n = both ? both : n;
	v->primary = outcomes_difference(o, pair, n, v->shift);
	v->secondary = outcomes_difference(o, pair, 0, 0);
	c->better = better_mean(pair, n, of->measure);
	if (measure_of_bleu(of->measure) && c->better < POOR_BLEU)
		v->at_most = VERDICT_POOR;
	if ((needs_nll(of) || !strcmp(of->measure, "test.nll")) && !outcomes_same_tokens(pair, n))
		v->at_most = VERDICT_MASKED;
	for (size_t i = 0; i < n; i++) {
		note_epochs(c, pair[i].run);
		note_epochs(c, pair[i].base);
	}
	if (!needs_nll(of))
		return 0;
	if (paper_test(of->section->test, pair, n, v->primary.mean, &c->p_test, &c->p_seeds, e))
		return -1;
	compare_nll(c, o, of, pair);
	if (v->at_most == VERDICT_MASKED) {	/* the differences mean nothing */
		const size_t seeds = v->primary.n;

		v->primary = outcomes_difference(o, pair, 0, 0);
		v->primary.n = seeds;
	}
	return 0;
}

/* --- claims --- */

/*
 * Orders comparisons by evidence: half of p if the system is better by each measure, else 1 minus
 * half of p; 2 for a single seed, equal differences or measures that cannot be compared, and 3 for
 * a baseline without runs.
 */
static double
weakness(const struct evidence *v)
{
	if (v->primary.n < 2 || isnan(v->primary.p) || v->at_most < VERDICT_POOR)
		return v->primary.n ? 2 : 3;
	return evidence_supports(v) ? v->primary.p / 2 : 1 - v->primary.p / 2;
}

/* Equal p, such as 1 before the first look, are ordered by the one-sided p against "better". */
static bool
is_weaker(const struct evidence *v, const struct evidence *than)
{
	const double a = weakness(v), b = weakness(than);

	if (a != b)
		return a > b;
	return v->primary_is_loss ? v->primary.p_worse < than->primary.p_worse
				  : v->primary.p_worse > than->primary.p_worse;
}

static int
judge_row(struct claim *c, const struct outcomes *o, struct run_pair *pair, struct err *e)
{
	c->against = xcalloc(c->row->n_bases, sizeof(*c->against));
	for (size_t b = 0; b < c->row->n_bases; b++) {
		c->against[b].base = c->row->base[b];
		if (compare(&c->against[b], o, c, pair, e))
			return -1;
		if (is_weaker(&c->against[b].evidence, &c->against[c->weakest].evidence))
			c->weakest = b;
	}
	return 0;
}

static int
judge_section(struct claims *c, const struct outcomes *o, const struct grid_section *s,
	      struct run_pair *pair, struct err *e)
{
	for (size_t r = 0; r < s->n_rows; r++)
		for (size_t k = 0; k < o->n_columns; k++)
			for (size_t i = 0; i < s->n_columns; i++) {
				if (!s->row[r].n_bases || !is_first_of_measure(s, i))
					continue;
				c->claim = xreallocarray(c->claim, c->n + 1, sizeof(*c->claim));
				c->claim[c->n] = (struct claim) {
					.section = s, .row = &s->row[r], .column = &o->column[k],
					.measure = s->column[i].measure
				};
				if (judge_row(&c->claim[c->n++], o, pair, e))
					return -1;
			}
	return 0;
}

/* Part of VERDICT_LEVEL, from 0 to 1, that is spent at the last look that n seeds have reached. */
static double
share_at(const struct grid *g, size_t n)
{
	double alpha = g->n_looks ? g->look[0].alpha : VERDICT_LEVEL;

	for (size_t k = 0; k < g->n_looks && (size_t)g->look[k].seeds <= n; k++)
		alpha = g->look[k].alpha;
	return alpha / VERDICT_LEVEL;
}

/*
 * p if the claim belongs to the family of the paper and is tested, else NAN.  A claim fails if the
 * system fails against any baseline, which needs a correction for their number.
 */
static double
p_in_family(const struct claim *c, const char *paper)
{
	const struct evidence *v = &c->against[c->weakest].evidence;

	if (!verdict_is_tested(v->at_most) || isnan(v->primary.p) ||
	    strcmp(c->section->paper, paper))
		return NAN;
	return evidence_supports(v) ? v->primary.p
				    : fmin(1, v->primary.p * (double)c->row->n_bases);
}

/*
 * The level for "smaller than reported": Holm's level of the claims that are not significant,
 * which are n_open, corrected for looks and baselines.
 */
static double
level_of_smaller(const struct claim *c, const struct grid *g, size_t n_open)
{
	const size_t n = c->against[c->weakest].evidence.secondary.n;

	if (!n_open || (g->n_looks && n < (size_t)g->look[0].seeds))
		return 0;
	return VERDICT_LEVEL * share_at(g, n) / (double)(n_open * c->row->n_bases);
}

static void
adjust(struct claims *c, const char *paper, const struct grid *g)
{
	double *p = xcalloc(c->n + 1, sizeof(*p)), *factor = xcalloc(c->n + 1, sizeof(*factor));
	size_t n_open = 0;

	for (size_t i = 0; i < c->n; i++)
		p[i] = p_in_family(&c->claim[i], paper);
	holm_adjust(p, c->n, p, factor);
	for (size_t i = 0; i < c->n; i++)
		n_open += p[i] >= VERDICT_LEVEL;
	for (size_t i = 0; i < c->n; i++) {
		struct claim *k = &c->claim[i];
		struct evidence *v = &k->against[k->weakest].evidence;

		if (strcmp(k->section->paper, paper))
			continue;
		v->p = p[i];
		v->level = level_of_smaller(k, g, n_open);
		k->level = VERDICT_LEVEL / factor[i] * share_at(g, v->primary.n);
		k->verdict = verdict_of(v);
	}
	free(p);
	free(factor);
}

/* Whether section i is the first of its paper. */
static bool
begins_family(const struct grid *g, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(g->section[k].paper, g->section[i].paper))
			return false;
	return true;
}

int
claims_judge(struct claims *c, const struct outcomes *o, struct err *e)
{
	struct run_pair *pair = xcalloc(o->n_runs + 1, sizeof(*pair));
	int status = 0;

	*c = (struct claims) { .n = 0 };
	for (size_t i = 0; i < o->grid->n && !status; i++)
		if (grid_is_claims(&o->grid->section[i]))
			status = judge_section(c, o, &o->grid->section[i], pair, e);
	for (size_t i = 0; i < o->grid->n && !status; i++)
		if (begins_family(o->grid, i))
			adjust(c, o->grid->section[i].paper, o->grid);
	free(pair);
	return status;
}

void
claims_release(struct claims *c)
{
	for (size_t i = 0; i < c->n; i++) {
		for (size_t b = 0; b < c->claim[i].row->n_bases; b++)
			buf_release(&c->claim[i].against[b].p_seeds);
		free(c->claim[i].against);
	}
	free(c->claim);
}

double
claim_detectable(const struct claim *c, const struct difference *d)
{
	if (isnan(c->level) || d->n < 2 || !d->tested)
		return NAN;
	return d->deviation * student_detectable(d->tested, c->level, VERDICT_POWER);
}
