/* claims-notes: see claims-notes.h. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "results/claims-notes.h"
#include "results/claims-words.h"
#include "results/host-group.h"

/* The claims of one section in one column that were run. */
struct part {
	const struct outcomes *o;
	const struct grid_section *section;
	const struct our_column *column;
	const struct claim **claim;	/* [n] */
	size_t n, tested;		/* number of claims; number of those that were tested */
};

static void
part_set(struct part *p, const struct claims *all, const struct our_column *column)
{
	p->column = column;
	p->n = p->tested = 0;
	for (size_t i = 0; i < all->n; i++) {
		const struct claim *c = &all->claim[i];

		if (c->section != p->section || c->column != column ||
		    c->verdict == VERDICT_NOT_RUN)
			continue;
		p->claim[p->n++] = c;
		p->tested += verdict_is_tested(c->verdict);
	}
}

/* --- a sentence on the verdicts --- */

/* Tested verdicts in the order of the sentences; the claims themselves follow if named. */
static const struct words { enum verdict v; const char *text; bool named; } words[] = {
	{ VERDICT_CONFIRMED, "confirmed", true },
	{ VERDICT_REVERSED, "reversed", true },
	{ VERDICT_SPLIT, "with different results in NLL and BLEU", true },
	{ VERDICT_WITHIN, "with no difference", false },
	{ VERDICT_SMALLER, "with a difference smaller than reported", false },
	{ VERDICT_OPEN, "open", false }
};
enum { N_WORDS = sizeof(words) / sizeof(*words) };

/* The statements of the claims with this verdict; of several baselines, the one that decides. */
static void
put_claims(const struct part *p, enum verdict v, struct buf *out)
{
	const char *before = ": ";

	for (size_t i = 0; i < p->n; i++) {
		const struct claim *c = p->claim[i];

		if (c->verdict != v)
			continue;
		buf_printf(out, "%s%s", before, c->row->label);
		if (v != VERDICT_CONFIRMED && c->row->n_bases > 1)
			buf_printf(out, " (against %s)",
				   grid_label(p->o->grid, c->against[c->weakest].base,
					      c->row->variant));
		before = "; ";
	}
}

/* " larger than 0.02 nats": the margins of the families in which the claims were judged. */
static void
put_margins(const struct part *p, struct buf *out)
{
	double low = HUGE_VAL, high = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct claim *c = p->claim[i];
		const double margin = c->against[c->weakest].evidence.margin;

		if (c->verdict == VERDICT_WITHIN) {
			low = fmin(low, margin);
			high = fmax(high, margin);
		}
	}
	buf_printf(out, " larger than %g", low);
	if (low < high)
		buf_printf(out, " to %g", high);
	buf_add_str(out, " nats");
}

/* "Two confirmed: A; B." */
static void
put_part_claims(const struct part *p, const struct words *w, struct buf *out)
{
	const size_t at = out->n + 1;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		n += p->claim[i]->verdict == w->v;
	if (!n)
		return;
	buf_add_char(out, ' ');
	words_put_number(n, "", out);
	if (out->data[at] >= 'a' && out->data[at] <= 'z')
		out->data[at] = (char)(out->data[at] - 'a' + 'A');
	buf_printf(out, " %s", w->text);
	if (w->v == VERDICT_WITHIN)
		put_margins(p, out);
	if (w->named)
		put_claims(p, w->v, out);
	buf_add_char(out, '.');
}

static void
put_sentence(const struct part *p, struct buf *out)
{
	const struct words_seeds seeds = words_seeds_of(p->claim, p->n);
	const double detectable = words_detectable(p->claim, p->n);

	buf_printf(out, "%s, %zu claim%s.", p->column->name, p->tested, p->tested > 1 ? "s" : "");
	for (size_t k = 0; k < N_WORDS; k++)
		put_part_claims(p, &words[k], out);
	if (seeds.open) {
		buf_add_char(out, ' ');
		words_put_open(&seeds, out);
	}
	if (!isnan(detectable))
		buf_printf(out, " True differences below %.3f nats would often be missed (power "
			   "below %g).", detectable, VERDICT_POWER);
}

/* --- the check of the model --- */

static void
put_check(const struct group_check *k, const char *measure, struct buf *out)
{
	buf_printf(out, "; %s: ", measure_label(measure));
	if (isnan(k->deviation)) {
		buf_add_str(out, "no degrees of freedom");
		return;
	}
	buf_printf(out, "residual standard deviation %.2g, %g degrees of freedom", k->deviation,
		   k->df);
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
	for (size_t i = 0; i < p->n; i++) {
		const struct claim *c = p->claim[i];

		for (size_t b = 0; b < c->row->n_bases; b++)
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

	buf_printf(out, "Host group %s, %s: %zu systems, %zu seed%s, %zu runs", g->name,
		   p->column->name, nll.systems, nll.seeds, nll.seeds == 1 ? "" : "s", nll.runs);
	put_check(&nll, "test.nll", out);
	put_check(&bleu, "bleu", out);
	if (nll.n_aa)
		buf_printf(out, "; A/A rows: %s (p %.2f)", nll.p_aa < CLAIM_AA_LEVEL
			   ? "they differ" : "no difference", nll.p_aa);
	else
		buf_add_str(out, "; no A/A rows compared");
	buf_add_char(out, '.');
}

void
claims_notes(const struct claims *c, const struct outcomes *o, const struct grid_section *s,
	     struct buf *out)
{
	struct part p = {
		.o = o, .section = s, .claim = xcalloc(c->n + 1, sizeof(struct claim *))
	};

	for (size_t k = 0; k < o->n_columns; k++) {
		part_set(&p, c, &o->column[k]);
		if (!p.tested)
			continue;
		buf_add_str(out, "> ");
		put_sentence(&p, out);
		buf_add_char(out, '\n');
	}
	for (size_t k = 0; k < o->n_columns; k++) {
		part_set(&p, c, &o->column[k]);
		for (size_t i = 0; i < o->grid->n_groups; i++)
			if (claims_is_used(&p, &o->grid->group[i])) {
				buf_add_str(out, "> - ");
				claims_put_group(&p, &o->grid->group[i], out);
				buf_add_char(out, '\n');
			}
	}
	free(p.claim);
}
