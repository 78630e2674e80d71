/* claims-lengths: see claims-lengths.h. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "results/claims-lengths.h"
#include "results/host-group.h"
#include "results/run-scores.h"

/* Classes of sentences by their number of target tokens, and the fact with their NLL. */
static const struct length { int from, to; const char *label, *measure; } lengths[] = {
	{ 1, 14, "1-14 tokens", "test.nll.1-14" },
	{ 15, 19, "15-19 tokens", "test.nll.15-19" },
	{ 20, INT_MAX, "20 and more tokens", "test.nll.20" }
};
enum { N_LENGTHS = sizeof(lengths) / sizeof(*lengths) };

/* --- NLL of a run by length --- */

static double
nll_of(const struct run_scores *s, const struct length *l)
{
	double nll = 0, tokens = 0;

	for (size_t i = 0; i < s->n; i++)
		if (s->tokens[i] >= l->from && s->tokens[i] <= l->to) {
			nll += s->nll[i];
			tokens += s->tokens[i];
		}
	return tokens > 0 ? nll / tokens : NAN;
}

static void
claims_add_number(struct facts *f, const char *name, double v)
{
	char *text = xasprintf("%.6f", v);

	f->fact = xreallocarray(f->fact, f->n + 1, sizeof(*f->fact));
	f->fact[f->n++] = (struct fact) {
		.name = name, .value = texts_add(&f->texts, text, strlen(text))
	};
	free(text);
}

/* Runs without sentences have no NLL by length. */
static int
add_lengths(struct facts *f, struct err *e)
{
	struct run_scores s;

	if (!run_scores_exist(f->path))
		return 0;
	if (run_scores_read(&s, f->path, e))
		return -1;
	for (int k = 0; k < N_LENGTHS; k++) {
		const double v = nll_of(&s, &lengths[k]);

		if (!isnan(v))
			claims_add_number(f, lengths[k].measure, v);
	}
	run_scores_release(&s);
	return 0;
}

/* --- the table --- */

static void
claims_put_line(const struct outcomes *o, const struct grid_section *s, const struct grid_row *row,
		const char *base, const struct our_column *column, struct buf *out)
{
	struct difference d[N_LENGTHS];
	size_t n = 0;

	for (int k = 0; k < N_LENGTHS; k++) {
		const struct group_pair c = {
			.variant = row->variant, .base = base, .column = column,
			.measure = lengths[k].measure
		};

		d[k] = group_difference(o, &c);
		n = d[k].n > n ? d[k].n : n;
	}
	if (n < 2)
		return;
	buf_printf(out, "%s\t%s\t%s\t%s\t%zu", s->name,
		   grid_label(o->grid, row->variant, base), grid_label(o->grid, base, row->variant),
		   column->name, n);
	for (int k = 0; k < N_LENGTHS; k++)
		cell_interval(cell_begin(out), "test.nll", &d[k]);
	buf_add_char(out, '\n');
}

int
claims_lengths(struct outcomes *o, const struct grid_section *section, struct buf *out,
	       struct err *e)
{
	for (size_t i = 0; i < o->n_runs; i++)
		if (add_lengths(&o->run[i], e))
			return -1;
	buf_add_str(out, "section\tsystem\tagainst\tcorpus\tseeds");
	for (int k = 0; k < N_LENGTHS; k++)
		buf_printf(out, "\t%s", lengths[k].label);
	buf_add_char(out, '\n');
	for (size_t i = 0; i < o->grid->n; i++) {
		const struct grid_section *s = &o->grid->section[i];

		if (!grid_is_claims(s) || (section && s != section) || s->ratio > 0)
			continue;
		for (size_t r = 0; r < s->n_rows; r++)
			for (size_t b = 0; b < s->row[r].n_bases; b++)
				for (size_t k = 0; k < o->n_columns; k++)
					claims_put_line(o, s, &s->row[r], s->row[r].base[b],
							&o->column[k], out);
	}
	return 0;
}
