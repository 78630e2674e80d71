/* claims-forest: see claims-forest.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "draw/forest.h"
#include "results/claims-forest.h"
#include "results/claims.h"

enum { NLL, BLEU };

static const char *
color_of(enum verdict v)
{
	switch (v) {
	case VERDICT_CONFIRMED: return "#11683a";
	case VERDICT_REVERSED: return "#a3211a";
	case VERDICT_SMALLER: return "#8a3d12";
	default: return "#445";
	}
}

static struct forest_point
point_of(const struct difference *d, double other, double margin)
{
	return (struct forest_point) {
		.value = d->mean, .low = d->low, .high = d->high, .other = other, .margin = margin
	};
}

/* Returns false if there is nothing to draw. */
static bool
claims_row_of(const struct claim *c, struct forest_row *row)
{
	const struct evidence *v = &c->against[c->weakest].evidence;
	const struct forest_point none = {
		.value = NAN, .low = NAN, .high = NAN, .other = NAN, .margin = NAN
	};

	if ((!v->primary.n && !v->secondary.n) || !measure_of_bleu(c->measure))
		return false;
	*row = (struct forest_row) {
		.note = verdict_short(c->verdict),
		.color = color_of(c->verdict), .at = { none, none }
	};
	if (v->primary_is_loss)
		row->at[NLL] = point_of(&v->primary, NAN, NAN);
	row->at[BLEU] = point_of(v->primary_is_loss ? &v->secondary : &v->primary, v->effect,
				 v->shift < 0 ? v->shift : NAN);
	return true;
}

/*
 * The label of a row that occurs in several sections or on several corpora says which; the caller
 * frees it.
 */
static char *
label_of(const struct claims *c, size_t i)
{
	const struct claim *a = &c->claim[i];
	bool other_section = false, other_column = false;

	for (size_t k = 0; k < c->n; k++) {
		const struct claim *b = &c->claim[k];

		if (strcmp(a->row->label, b->row->label))
			continue;
		other_section |= a->section != b->section;
		other_column |= a->column != b->column;
	}
	if (!other_section && !other_column)
		return xstrdup(a->row->label);
	return xasprintf("%s (%s%s%s)", a->row->label, other_section ? a->section->name : "",
			 other_section && other_column ? ", " : "",
			 other_column ? a->column->name : "");
}

/* Omits panels in which no row has a value. */
static void
omit_empty(struct forest *f)
{
	for (int k = 0; k < FOREST_PANELS; k++) {
		size_t i = 0;

		while (i < f->n_rows && isnan(f->row[i].at[k].value))
			i++;
		if (i == f->n_rows)
			f->panel[k].label = NULL;
	}
}

int
claims_forest(const struct outcomes *o, const struct grid_section *section, struct buf *out,
	      struct err *e)
{
	struct claims c;
	const int status = claims_judge(&c, o, e);
	struct forest_row *row = xcalloc(c.n + 1, sizeof(*row));
	char **label = xcalloc(c.n + 1, sizeof(*label));
	struct forest f = {
		.title = "Claims: mean differences with 95% confidence intervals",
		.none = "No claim on BLEU has runs of both systems yet.",
		.panel = {
			[NLL] = { .label = "Test NLL difference (nats/token)", .reversed = true },
			[BLEU] = { .label = "BLEU difference (◇ paper)" }
		},
		.row = row
	};

	for (size_t i = 0; i < c.n && !status; i++)
		if ((!section || c.claim[i].section == section) &&
		    claims_row_of(&c.claim[i], &row[f.n_rows]))
			row[f.n_rows++].label = label[i] = label_of(&c, i);
	if (!status && !f.n_rows)
		warn("no claim on BLEU has runs of both systems, so the forest plot is empty");
	omit_empty(&f);
	if (!status)
		forest_svg(out, &f);
	for (size_t i = 0; i < c.n; i++)
		free(label[i]);
	free(label);
	free(row);
	claims_release(&c);
	return status;
}
