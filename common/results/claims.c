/* claims: see claims.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strmap.h"
#include "results/claims.h"
#include "results/host-group.h"
#include "results/paper-test.h"
#include "scores/holm.h"
#include "scores/student.h"

/* Below this BLEU little more than punctuation matches the reference. */
#define POOR_BLEU 1.0

/* --- one comparison --- */

/* Whether a claim is tested on the NLL, and BLEU must agree. */
static bool
needs_nll(const struct claim *c)
{
	return measure_of_bleu(c->measure) && !(c->section->within > 0) &&
	       !(c->section->ratio > 0);
}

const char *
claim_primary(const struct claim *c)
{
	return needs_nll(c) ? "test.nll" : c->measure;
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

/* The difference of the two systems in one measure, over the runs that also have another. */
static struct difference
difference_in(const struct outcomes *o, const struct claim *claim, const char *base,
	      const char *measure, const char *also, double shift)
{
	const struct group_pair c = {
		.variant = claim->row->variant, .base = base, .column = claim->column,
		.measure = measure, .also = also, .shift = shift, .ratio = claim->section->ratio
	};

	return group_difference(o, &c);
}

/*
 * Sets the differences of both measures.  NLL is the primary one if the claim needs it; if no seed
 * has both measures, the one that is there is shown, but not judged.
 */
static void
measure_evidence(struct evidence *v, const struct outcomes *o, const struct claim *claim,
		 const char *base, size_t both, const struct grid_family *f)
{
	const char *also = both ? claim->measure : NULL;

	v->secondary = no_difference;
	if (!needs_nll(claim)) {
		v->primary = difference_in(o, claim, base, claim->measure, NULL, v->shift);
		if (!strcmp(claim->measure, "test.nll") && !(claim->section->ratio > 0))
			v->margin = f->nats;
	} else {
		v->primary_is_loss = true;
		v->margin = f->nats;
		v->secondary_margin = f->bleu;
		v->secondary = difference_in(o, claim, base, claim->measure,
					     both ? "test.nll" : NULL, 0);
		v->primary = difference_in(o, claim, base, "test.nll", also, 0);
		if (v->primary.n && !v->secondary.n)
			v->at_most = VERDICT_NO_BLEU;
	}
	if (v->at_most == VERDICT_MASKED) {	/* the differences mean nothing */
		v->primary = no_difference;
		v->primary.n = both;
	}
}

static int
claims_compare(struct claim_base *c, const struct outcomes *o, const struct claim *claim,
	       struct run_pair *pair, struct err *e)
{
	const struct grid_family f = grid_family_of(o->grid, claim->section->family);
	const double within = claim->section->within;
	const char *variant = claim->row->variant;
	struct evidence *v = &c->evidence;
	size_t n, both;

	*v = (struct evidence) {
		.primary_is_loss = measure_of_loss(claim->measure) || claim->section->ratio > 0,
		.p = NAN,
		.at_most = VERDICT_CONFIRMED,
		.effect = outcomes_paper_effect(o, claim->section->paper, variant, c->base,
						claim->measure, claim->column)
	};
	v->shift = v->primary_is_loss ? within : -within;
	c->epochs_low = c->epochs_high = c->p_test = NAN;
	n = outcomes_pairs(o, variant, c->base, claim->column, claim->measure, pair);
	both = needs_nll(claim) ? keep_with(pair, n, "test.nll") : n;
	n = both ? both : n;
	if (measure_of_bleu(claim->measure) && better_mean(pair, n, claim->measure) < POOR_BLEU)
		v->at_most = VERDICT_POOR;
	if (!strcmp(claim_primary(claim), "test.nll") && !outcomes_same_tokens(pair, n))
		v->at_most = VERDICT_MASKED;
	for (size_t i = 0; i < n; i++) {
		note_epochs(c, pair[i].run);
		note_epochs(c, pair[i].base);
	}
	measure_evidence(v, o, claim, c->base, both, &f);
	if (!needs_nll(claim) || claim->section != o->section)
		return 0;
	return paper_test(claim->section->test, pair, n, v->secondary.mean, &c->p_test, &c->p_seeds,
			  e);
}

/* Claims of a group whose A/A rows differ are not judged. */
static void
check_aa(struct claim_base *c, const struct outcomes *o, const struct claim *claim)
{
	const struct grid_group *g = grid_group_of(o->grid, claim->row->variant, c->base);

	if (g && o->grid->n_aa && c->evidence.primary.n > 1 &&
	    group_check(o, g, claim->column, claim_primary(claim)).p_aa < CLAIM_AA_LEVEL)
		c->evidence.at_most = VERDICT_AA;
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
		if (claims_compare(&c->against[b], o, c, pair, e))
			return -1;
		check_aa(&c->against[b], o, c);
		if (is_weaker(&c->against[b].evidence, &c->against[c->weakest].evidence))
			c->weakest = b;
	}
	return 0;
}

/* Claims on whole corpora are not judged on samples of them. */
static int
judge_section(struct claims *c, const struct outcomes *o, const struct grid_section *s,
	      struct run_pair *pair, struct err *e)
{
	for (size_t r = 0; r < s->n_rows; r++)
		for (size_t k = 0; k < o->n_columns; k++)
			for (size_t i = 0; i < s->n_columns; i++) {
				if (!s->row[r].n_bases || !is_first_of_measure(s, i) ||
				    (!s->sizes && grid_is_sample(o->column[k].name)))
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
 * p if the claim belongs to the family, is tested and is not shown before, else NAN.  A claim fails
 * if the system fails against any baseline, which needs a correction for their number.
 */
static double
p_in_family(const struct claim *c, const char *family)
{
	const struct evidence *v = &c->against[c->weakest].evidence;

	if (!verdict_is_tested(v->at_most) || isnan(v->primary.p) || c->first ||
	    strcmp(c->section->family, family))
		return NAN;
	return evidence_supports(v) ? v->primary.p
				    : fmin(1, v->primary.p * (double)c->row->n_bases);
}

/*
 * The level for "smaller than reported": that of the n_open claims that are not significant,
 * corrected for looks and baselines.
 */
static double
level_of_smaller(const struct claim *c, const struct grid *g, size_t n_open)
{
	const size_t n = c->against[c->weakest].evidence.secondary.n;

	if (!n_open || (g->n_looks && n < (size_t)g->look[0].seeds))
		return 0;
	return VERDICT_LEVEL * share_at(g, n) / (double)(n_open * c->row->n_bases);
}

/*
 * p: adjusted; n_open: the number of claims of the family whose p is not below VERDICT_LEVEL.  The
 * rule is verdict_of() in verdict.c.
 */
static void
claim_judge(struct claim *c, const struct grid *g, double p, size_t n_open)
{
	struct evidence *v = &c->against[c->weakest].evidence;
	const double tests = (double)(n_open + (p < VERDICT_LEVEL));
	const double bases = evidence_supports(v) ? 1 : (double)c->row->n_bases;

	v->p = p;
	v->level = level_of_smaller(c, g, n_open);
	c->level = isnan(p) ? NAN : VERDICT_LEVEL / tests * share_at(g, v->primary.n);
	c->verdict = verdict_of(v);
	if (c->verdict == VERDICT_OPEN)
		c->seeds = evidence_seeds_needed(v, g->look, g->n_looks,
						 VERDICT_LEVEL / tests / bases);
}

const struct claim *
claim_counted(const struct claim *c)
{
	return c->first ? c->first : c;
}

/* Of a claim that an earlier section has: that evidence, with the difference of its own paper. */
static void
take_evidence(struct claim *c)
{
	for (size_t b = 0; c->first && b < c->row->n_bases; b++) {
		const double effect = c->against[b].evidence.effect;

		c->against[b].evidence = c->first->against[b].evidence;
		c->against[b].evidence.effect = effect;
	}
}

static void
claims_adjust(struct claims *c, const char *family, const struct grid *g)
{
	double *p = xcalloc(c->n + 1, sizeof(*p));
	size_t n_open = 0;

	for (size_t i = 0; i < c->n; i++)
		p[i] = p_in_family(&c->claim[i], family);
	holm_adjust(p, c->n, p, NULL);
	for (size_t i = 0; i < c->n; i++)
		n_open += p[i] >= VERDICT_LEVEL;
	for (size_t i = 0; i < c->n; i++)
		if (!strcmp(claim_counted(&c->claim[i])->section->family, family)) {
			take_evidence(&c->claim[i]);
			claim_judge(&c->claim[i], g, p[claim_counted(&c->claim[i]) - c->claim],
				    n_open);
		}
	free(p);
}

/* --- families --- */

/* Whether two claims compare the same systems in the same way. */
static bool
is_same(const struct claim *a, const struct claim *b)
{
	return a->column == b->column && !strcmp(a->measure, b->measure) &&
	       grid_same_claim(a->section, a->row, b->section, b->row);
}

static void
find_first(struct claims *c)
{
	for (size_t i = 0; i < c->n; i++)
		for (size_t k = 0; k < i && !c->claim[i].first; k++)
			if (!c->claim[k].first && is_same(&c->claim[i], &c->claim[k]))
				c->claim[i].first = &c->claim[k];
}

/* Whether all claims of a family are decided, except those without runs of both systems. */
static bool
is_done(const struct claims *c, const char *family)
{
	for (size_t i = 0; i < c->n; i++) {
		const enum verdict v = c->claim[i].verdict;

		if (!strcmp(c->claim[i].section->family, family) && v != VERDICT_NOT_RUN &&
		    (v == VERDICT_OPEN || !verdict_is_tested(v)))
			return false;
	}
	return true;
}

/* Judges a family, unless the claims that come first are not done. */
static void
judge_family(struct claims *c, const struct grid *g, const char *name)
{
	const struct grid_family f = grid_family_of(g, name);

	if (f.after && !is_done(c, f.after))
		for (size_t i = 0; i < c->n; i++) {
			struct claim_base *x = &c->claim[i].against[c->claim[i].weakest];

			if (!strcmp(c->claim[i].section->family, name) &&
			    x->evidence.primary.n > 1 && verdict_is_tested(x->evidence.at_most))
				x->evidence.at_most = VERDICT_WAITS;
		}
	claims_adjust(c, name, g);
}

/* Declared families in their order, so that those that come first are judged first. */
static void
judge_families(struct claims *c, const struct grid *g)
{
	struct strmap names = { 0 };

	for (size_t i = 0; i < c->n; i++)
		c->claim[i].verdict = VERDICT_OPEN;
	for (size_t i = 0; i < g->n_families; i++)
		strmap_add(&names, g->family[i].name, strlen(g->family[i].name));
	for (size_t i = 0; i < c->n; i++)
		strmap_add(&names, c->claim[i].section->family,
			   strlen(c->claim[i].section->family));
	for (size_t i = 0; i < names.n; i++)
		judge_family(c, g, strmap_text(&names, (int)i, NULL));
	strmap_release(&names);
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
	if (!status) {
		find_first(c);
		judge_families(c, o->grid);
	}
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
	double df, error = NAN;

	if (!isnan(c->level) && d->n > 1)
		error = difference_error_at_look(d, &df);
	return isnan(error) ? NAN : error * student_detectable(df, c->level, VERDICT_POWER);
}
