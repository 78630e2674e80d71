/* claims-notes: see claims-notes.h. */
#include <math.h>
#include <string.h>

#include "results/claims-notes.h"
#include "results/host-group.h"
#include "results/table-cells.h"

/* The claims of one section in one column. */
struct part {
	const struct claims *claims;
	const struct outcomes *o;
	const struct grid_section *section;
	const struct our_column *column;
};

static bool
is_of(const struct part *p, const struct claim *c)
{
	return c->section == p->section && c->column == p->column &&
	       c->verdict != VERDICT_NOT_RUN;
}

static size_t
claims_count(const struct part *p, enum verdict v)
{
	size_t n = 0;

	for (size_t i = 0; i < p->claims->n; i++)
		n += is_of(p, &p->claims->claim[i]) && p->claims->claim[i].verdict == v;
	return n;
}

/* --- a sentence on the verdicts --- */

/* Verdicts in the order of the sentence, and their verbs for one claim and for several. */
static const struct words { enum verdict v; const char *one, *several; bool named; } words[] = {
	{ VERDICT_CONFIRMED, "is confirmed", "are confirmed", true },
	{ VERDICT_REVERSED, "is reversed", "are reversed", true },
	{ VERDICT_SPLIT, "has measures that disagree", "have measures that disagree", true },
	{ VERDICT_WITHIN, "shows no difference", "show no difference", false },
	{ VERDICT_SMALLER, "has a difference smaller than reported",
	  "have differences smaller than reported", false },
	{ VERDICT_OPEN, "is open", "are open", false }
};
enum { N_WORDS = sizeof(words) / sizeof(*words) };

static void
claims_put_count(size_t n, struct buf *out)
{
	static const char *const small[] = {
		"none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
		"ten", "eleven", "twelve"
	};

	if (n < sizeof(small) / sizeof(*small))
		buf_add_str(out, small[n]);
	else
		buf_printf(out, "%zu", n);
}

/* The systems of the claims with this verdict: " (A > B; C > D)". */
static void
put_systems(const struct part *p, enum verdict v, struct buf *out)
{
	const struct grid *g = p->o->grid;
	const char *before = " (";

	for (size_t i = 0; i < p->claims->n; i++) {
		const struct claim *c = &p->claims->claim[i];
		const char *base = c->against[c->weakest].base;

		if (!is_of(p, c) || c->verdict != v)
			continue;
		buf_printf(out, "%s%s > %s", before, grid_label(g, c->row->variant, base),
			   grid_label(g, base, c->row->variant));
		before = "; ";
	}
	buf_add_char(out, ')');
}

static void
put_margin(const struct part *p, struct buf *out)
{
	const struct grid_family f = grid_family_of(p->o->grid, p->section->family);

	buf_printf(out, " larger than %g nats", f.nats);
}

/* The number of seeds that would decide the open claims, as far as some number would. */
static void
put_needs(const struct part *p, struct buf *out)
{
	size_t least = 0, most = 0;

	for (size_t i = 0; i < p->claims->n; i++) {
		const struct claim *c = &p->claims->claim[i];

		if (!is_of(p, c) || c->verdict != VERDICT_OPEN || !c->seeds)
			continue;
		least = !least || c->seeds < least ? c->seeds : least;
		most = c->seeds > most ? c->seeds : most;
	}
	if (least && least == most)
		buf_printf(out, " (%zu more seed%s would decide)", least, least > 1 ? "s" : "");
	else if (least)
		buf_printf(out, " (%zu to %zu more seeds would decide)", least, most);
}

static void
put_verdicts(const struct part *p, struct buf *out)
{
	size_t kinds = 0, put = 0;

	for (size_t k = 0; k < N_WORDS; k++)
		kinds += claims_count(p, words[k].v) > 0;
	for (size_t k = 0; k < N_WORDS; k++) {
		const size_t n = claims_count(p, words[k].v);

		if (!n)
			continue;
		put++;
		buf_add_str(out, put == 1 ? " " : put == kinds ? (kinds > 2 ? ", and " : " and ")
							       : ", ");
		claims_put_count(n, out);
		buf_printf(out, " %s", n == 1 ? words[k].one : words[k].several);
		if (words[k].v == VERDICT_WITHIN)
			put_margin(p, out);
		if (words[k].named)
			put_systems(p, words[k].v, out);
		if (words[k].v == VERDICT_OPEN)
			put_needs(p, out);
	}
}

/* The largest detectable difference in NLL of the section's claims; NAN without one. */
static double
largest_detectable(const struct part *p)
{
	double largest = NAN;

	for (size_t i = 0; i < p->claims->n; i++) {
		const struct claim *c = &p->claims->claim[i];
		const struct evidence *v = &c->against[c->weakest].evidence;

		if (is_of(p, c) && v->primary_is_loss && verdict_is_tested(c->verdict) &&
		    !(c->section->ratio > 0))
			largest = fmax(largest, claim_detectable(c, &v->primary));
	}
	return largest;
}

static void
put_sentence(const struct part *p, struct buf *out)
{
	const double detectable = largest_detectable(p);
	size_t judged = 0;

	for (size_t k = 0; k < N_WORDS; k++)
		judged += claims_count(p, words[k].v);
	buf_printf(out, "%s: of %zu claim%s,", p->column->name, judged, judged > 1 ? "s" : "");
	put_verdicts(p, out);
	buf_add_str(out, ".");
	if (!isnan(detectable))
		buf_printf(out, " True differences below %.3f nats would often be missed (power "
			   "below %g).", detectable, VERDICT_POWER);
}

/* --- the check of the model --- */

static void
put_check(const struct group_check *k, const char *measure, struct buf *out)
{
	buf_printf(out, "; %s: residual standard deviation %.2g, %g degrees of freedom",
		   measure_label(measure), k->deviation, k->df);
	if (!isnan(k->bartlett))
		buf_printf(out, ", Bartlett's p %.2f%s", k->bartlett,
			   k->bartlett < GROUP_LEVEL ? " (the systems' own variances are used)"
						     : "");
	if (!isnan(k->largest))
		buf_printf(out, ", largest standardized residual %.1f", k->largest);
}

/* Whether a claim of the section in the column compares two systems of the group. */
static bool
claims_is_used(const struct part *p, const struct grid_group *g)
{
	for (size_t i = 0; i < p->claims->n; i++) {
		const struct claim *c = &p->claims->claim[i];

		for (size_t b = 0; is_of(p, c) && b < c->row->n_bases; b++)
			if (grid_group_of(p->o->grid, c->row->variant, c->against[b].base) == g)
				return true;
	}
	return false;
}

static void
claims_put_group(const struct part *p, const struct grid_group *g, struct buf *out)
{
	const struct group_check nll = group_check(p->o, g, p->column, "test.nll");
	const struct group_check bleu = group_check(p->o, g, p->column, "bleu");

	buf_printf(out, "Host group %s, %s: %zu systems, %zu seeds, %zu runs", g->name,
		   p->column->name, nll.systems, nll.seeds, nll.runs);
	put_check(&nll, "test.nll", out);
	put_check(&bleu, "bleu", out);
	if (nll.n_aa)
		buf_printf(out, "; A/A rows: %s (p %.2f)", nll.p_aa < CLAIM_AA_LEVEL
			   ? "they differ" : "no difference", nll.p_aa);
	else
		buf_add_str(out, "; no A/A rows");
	buf_add_char(out, '.');
}

static bool
is_tested(const struct part *p)
{
	for (size_t i = 0; i < p->claims->n; i++)
		if (is_of(p, &p->claims->claim[i]) &&
		    verdict_is_tested(p->claims->claim[i].verdict))
			return true;
	return false;
}

void
claims_notes(const struct claims *c, const struct outcomes *o, const struct grid_section *s,
	     struct buf *out)
{
	struct part p = { .claims = c, .o = o, .section = s };

	for (size_t k = 0; k < o->n_columns; k++) {
		p.column = &o->column[k];
		if (!is_tested(&p))
			continue;
		buf_add_str(out, "> ");
		put_sentence(&p, out);
		buf_add_char(out, '\n');
	}
	for (size_t k = 0; k < o->n_columns; k++) {
		p.column = &o->column[k];
		for (size_t i = 0; i < o->grid->n_groups; i++)
			if (claims_is_used(&p, &o->grid->group[i])) {
				buf_add_str(out, "> - ");
				claims_put_group(&p, &o->grid->group[i], out);
				buf_add_char(out, '\n');
			}
	}
}
