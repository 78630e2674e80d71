/* claims-findings: see claims-findings.h. */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "results/claims-findings.h"
#include "results/claims-words.h"
#include "results/finding.h"

struct filling {
	const struct outcomes *o;
	const struct claims *claims;
	const struct our_column *main;	/* column of patterns without one */
	const struct claim **found;	/* [n]: claims that the current slot selects */
	size_t n;
};

/* --- the claims of a slot --- */

static size_t
tested_in(const struct claims *c, const struct our_column *column)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += c->claim[i].column == column && !c->claim[i].first &&
		     verdict_is_tested(c->claim[i].verdict);
	return n;
}

/* The column with the most tested claims; whole corpora come before samples of a size. */
static const struct our_column *
main_column(const struct claims *c, const struct outcomes *o)
{
	const struct our_column *main = NULL;

	for (size_t i = 0; i < o->n_columns; i++) {
		const struct our_column *k = &o->column[i];
		const bool whole = !grid_is_sample(k->name);
		const bool was = main && !grid_is_sample(main->name);

		if (!tested_in(c, k) || (was && !whole))
			continue;
		if (!main || whole != was || tested_in(c, k) > tested_in(c, main))
			main = k;
	}
	return main;
}

static bool
is_selected(const struct filling *f, const struct slot *s, const struct claim *c)
{
	if (!s->n)
		return c->column == f->main;
	for (size_t i = 0; i < s->n; i++) {
		const struct slot_pattern *p = &s->pattern[i];

		if (p->column ? !fnmatch(p->column, c->column->name, 0) : c->column == f->main)
			if (slot_selects(p, c->section, c->row))
				return true;
	}
	return false;
}

/* Sets f->found to the tested claims of a slot; each once, as in the first section of the slot. */
static void
find_claims(struct filling *f, const struct slot *s)
{
	f->n = 0;
	for (size_t i = 0; i < f->claims->n; i++) {
		const struct claim *c = &f->claims->claim[i];
		size_t k = 0;

		if (!verdict_is_tested(c->verdict) || !is_selected(f, s, c))
			continue;
		while (k < f->n && claim_counted(f->found[k]) != claim_counted(c))
			k++;
		if (k == f->n)
			f->found[f->n++] = c;
	}
}

/* Of the claims in f->found, keeps those with a verdict that counts. */
static void
keep_verdicts(struct filling *f, unsigned verdicts)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		if (verdicts >> f->found[i]->verdict & 1)
			f->found[n++] = f->found[i];
	f->n = n;
}

/* --- the text of a slot; false if it has no value --- */

static void
fill_count(const struct filling *f, const struct slot *s, struct buf *out)
{
	words_put_number(f->n, s->noun ? "no" : "none", out);
	if (s->noun)
		buf_printf(out, " %s%s", s->noun, f->n == 1 ? "" : "s");
}

/* ": A (effect), B (effect) and C (effect)", or nothing. */
static void
fill_names(const struct filling *f, struct buf *out)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct claim *c = f->found[i];
		const char *base = c->against[c->weakest].base;
		const char *label = grid_label(f->o->grid, c->row->variant, base);

		buf_add_str(out, !i ? ": " : i + 1 == f->n ? " and " : ", ");
		buf_add_str(out, label + (*label == '+'));
		words_put_effect(c, false, " (", ")", out);
	}
}

static bool
fill_needs(const struct filling *f, struct buf *out)
{
	const struct words_seeds w = words_seeds_of(f->found, f->n);

	if (w.open)
		words_put_seeds(&w, out);
	return w.open > 0;
}

static void
fill_seeds(const struct filling *f, struct buf *out)
{
	size_t least = 0, most = 0;

	for (size_t i = 0; i < f->n; i++) {
		const struct claim *c = f->found[i];
		const size_t n = c->against[c->weakest].evidence.primary.n;

		least = !i || n < least ? n : least;
		most = n > most ? n : most;
	}
	if (least < most) {
		words_put_number(least, "no", out);
		buf_add_str(out, " to ");
	}
	words_put_number(most, "no", out);
}

static bool
fill_detectable(const struct filling *f, struct buf *out)
{
	const double d = words_detectable(f->found, f->n);

	if (isnan(d))
		return false;
	buf_printf(out, "%.3f", d);
	return true;
}

/* The mean of a number over the runs of a system in the main column. */
static bool
fill_mean(const struct filling *f, const struct slot *s, struct buf *out)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; f->main && i < f->o->n_runs; i++) {
		const struct facts *run = &f->o->run[i];
		const double v = facts_number(run, s->measure);

		if (strcmp(run->variant, s->variant) || strcmp(run->column, f->main->name) ||
		    isnan(v))
			continue;
		sum += v;
		n++;
	}
	if (!n)
		return false;
	if (measure_of_count(s->measure))
		buf_printf(out, "%.*f", fmod(sum, (double)n) > 0, sum / (double)n);
	else
		cell_value(out, s->measure, sum / (double)n);
	return true;
}

static bool
slot_fill(struct filling *f, const struct slot *s, struct buf *out)
{
	if (s->kind == SLOT_MEAN)
		return fill_mean(f, s, out);
	find_claims(f, s);
	if (!f->n)
		return false;
	if (s->kind == SLOT_COUNT || s->kind == SLOT_NAMES)
		keep_verdicts(f, s->verdicts);
	switch (s->kind) {
	case SLOT_COUNT: fill_count(f, s, out); break;
	case SLOT_NAMES: fill_names(f, out); break;
	case SLOT_EFFECT: words_put_effect(f->found[0], true, "", ", ", out);
		buf_add_str(out, verdict_short(f->found[0]->verdict));
		break;
	case SLOT_RESULT: words_put_result(f->found[0], out); break;
	case SLOT_NEEDS: return fill_needs(f, out);
	case SLOT_DETECTABLE: return fill_detectable(f, out);
	case SLOT_SEEDS: fill_seeds(f, out); break;
	case SLOT_MEAN: break;
	}
	return true;
}

/* --- the lines --- */

/* Is the measure of a mean a number in all runs that have it?  Other runs would be left out. */
static int
check_mean(const struct filling *f, const struct slot *s, struct err *e)
{
	for (size_t i = 0; s->kind == SLOT_MEAN && i < f->o->n_runs; i++)
		if (outcome_check_number(&f->o->run[i], s->measure, e))
			return -1;
	return 0;
}

/*
 * A sentence.  Returns -1 if a mean is of a fact that is not a number; slots were checked when the
 * grid was read.
 */
static int
put_finding(struct filling *f, const char *text, struct buf *out, struct err *e)
{
	struct texts pool = { 0 };
	struct buf line = { 0 };
	const char *open;
	struct slot s;
	bool whole = true;
	int status = 0;

	buf_add_str(&line, "");
	for (; whole && (open = strchr(text, '{')); text = s.end) {
		buf_add(&line, text, (size_t)(open - text));
		status = slot_read(&s, &pool, open, e) || check_mean(f, &s, e) ? -1 : 0;
		whole = !status && slot_fill(f, &s, &line);
		if (status)
			break;
	}
	if (whole && !status) {
		buf_add_str(&line, text);
		if (line.data[0] >= 'a' && line.data[0] <= 'z')
			line.data[0] = (char)(line.data[0] - 'a' + 'A');
		buf_printf(out, "finding\t\t%s\n", line.data);
	}
	texts_release(&pool);
	buf_release(&line);
	return status;
}

/* Whether a claim counts: in each column with runs, or else in the first. */
static bool
counts(const struct claims *c, size_t i)
{
	const struct claim *a = &c->claim[i];

	if (a->first || a->verdict != VERDICT_NOT_RUN)
		return !a->first;
	for (size_t k = 0; k < c->n; k++) {
		const struct claim *b = &c->claim[k];

		if (b->row == a->row && b->measure == a->measure && k != i &&
		    (k < i || b->verdict != VERDICT_NOT_RUN))
			return false;
	}
	return true;
}

static void
put_counts(const struct claims *c, struct buf *out)
{
	size_t n[VERDICT_CONFIRMED + 1] = { 0 };

	for (size_t i = 0; i < c->n; i++)
		n[c->claim[i].verdict] += counts(c, i);
	for (int v = VERDICT_CONFIRMED; v >= 0; v--)
		if (n[v])
			buf_printf(out, "verdict\t%zu\t%s\n", n[v], verdict_names[v]);
}

/* What would decide the open claims. */
static void
put_open(struct filling *f, struct buf *out)
{
	struct words_seeds w;

	f->n = 0;
	for (size_t i = 0; i < f->claims->n; i++)
		if (f->claims->claim[i].verdict == VERDICT_OPEN && !f->claims->claim[i].first)
			f->found[f->n++] = &f->claims->claim[i];
	w = words_seeds_of(f->found, f->n);
	if (!w.open)
		return;
	buf_printf(out, "open\t%zu\t", w.open);
	words_put_open(&w, out);
	buf_add_char(out, '\n');
}

int
claims_findings(const struct outcomes *o, struct buf *out, struct err *e)
{
	struct claims c;
	struct filling f = { .o = o, .claims = &c };
	int status = claims_judge(&c, o, e);

	f.found = xcalloc(c.n + 1, sizeof(struct claim *));
	f.main = status ? NULL : main_column(&c, o);
	if (!status)
		buf_add_str(out, "kind\tclaims\ttext\n");
	for (size_t i = 0; i < o->grid->n_findings && !status; i++)
		status = put_finding(&f, o->grid->finding[i].text, out, e);
	if (!status) {
		put_counts(&c, out);
		put_open(&f, out);
	}
	free(f.found);
	claims_release(&c);
	return status;
}
