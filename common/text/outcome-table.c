/* outcome-table: see outcome-table.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/markdown.h"
#include "text/outcome-table.h"

#define SIGNIFICANT 0.05

const char *const table_forms[] = { "tsv", "brief", "md", NULL };

/* The measures of a section's columns, each once. */
static bool
is_first_of_measure(const struct grid_section *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(s->column[k].measure, s->column[i].measure))
			return false;
	return true;
}

/* --- numbers --- */

/* Heads that are left say what a system is; more or fewer of them are neither better nor worse. */
static bool
is_count(const char *measure)
{
	return !strcmp(measure, "heads") || !strncmp(measure, "heads.", 6);
}

/* As many digits as the measure is worth; of a count those of a mean. */
static int
decimals_of(const char *measure)
{
	return !strcmp(measure, "parameters") ? 3 : !strcmp(measure, "dev.nll") ? 4 :
	       is_count(measure) ? 1 : 2;
}

/* Parameters are told in millions. */
static double
unit_of(const char *measure)
{
	return !strcmp(measure, "parameters") ? 1e6 : 1;
}

/* Nothing for NAN. */
static void
put(struct buf *out, const char *measure, double v, bool sign)
{
	const char *const plus = sign && v >= 0 ? "+" : "";

	if (isnan(v))
		return;
	if (is_count(measure))
		buf_printf(out, "%s%.4g", plus, v);
	else
		buf_printf(out, "%s%.*f", plus, decimals_of(measure), v / unit_of(measure));
}

/* A deviation or an error, in the decimals of what it belongs to; nothing for NAN. */
static void
put_spread(struct buf *out, const char *measure, double v)
{
	if (!isnan(v))
		buf_printf(out, " ± %.*f", decimals_of(measure), v / unit_of(measure));
}

static void
put_p(struct buf *out, double p)
{
	if (!isnan(p))
		buf_printf(out, "%.4f", p);
}

/* What the paper's test says, if it says anything. */
static const char *
mark(const struct outcome *r, const char *measure)
{
	if (isnan(r->p) || r->p >= SIGNIFICANT || r->difference == 0)
		return "";
	return (r->difference > 0) != measure_of_loss(measure) ? "†" : "‡";
}

/* --- everything, a line a comparison --- */

static const char tsv_head[] =
	"section\trow\tvariant\tagainst\tcolumn\tpairs\tmeasure\truns\tmean\tdeviation\t"
	"paper column\tpaper\tdifference\terror\tp of t\tpaper's difference\t"
	"test\tp\tp of each seed\tmark\tverdict\n";

static void
tsv_line(const struct outcomes *o, const struct grid_row *row, const char *base,
	 const struct our_column *ours, const struct grid_column *c, int paper,
	 const struct outcome *r, struct buf *out)
{
	const struct grid_section *s = o->section;

	buf_printf(out, "%s\t%s\t%s\t%s\t%s\t", s->name, row->label, row->variant,
		   base ? base : "", ours->name);
	if (!isnan(ours->pairs))
		buf_printf(out, "%.0f", ours->pairs);
	buf_printf(out, "\t%s\t%zu\t", c->measure, r->runs);
	put(out, c->measure, r->mean, false);
	buf_add_char(out, '\t');
	put(out, c->measure, r->deviation, false);
	buf_printf(out, "\t%s\t", paper < 0 ? "" : s->column[paper].name);
	if (!isnan(r->paper))
		buf_printf(out, "%.2f", r->paper);
	buf_add_char(out, '\t');
	put(out, c->measure, r->difference, true);
	buf_add_char(out, '\t');
	put(out, c->measure, r->error, false);
	buf_add_char(out, '\t');
	put_p(out, r->p_t);
	buf_add_char(out, '\t');
	if (!isnan(r->paper_difference))
		buf_printf(out, "%+.2f", r->paper_difference);
	buf_printf(out, "\t%s\t", isnan(r->p) ? "" : grid_tests[s->test]);
	put_p(out, r->p);
	buf_printf(out, "\t%s\t%s\t%s\n", r->p_seeds->n ? r->p_seeds->data : "", mark(r, c->measure),
		   base ? verdict_names[r->verdict] : "");
}

static int
tsv_row(const struct outcomes *o, const struct grid_row *row, const struct our_column *ours,
	const struct grid_column *c, struct buf *out, struct err *e)
{
	const int paper = outcome_paper_column(o->section, c->measure, ours);
	struct buf seeds = { 0 };
	int status = 0;

	for (size_t b = 0; b < (row->n_bases ? row->n_bases : 1) && !status; b++) {
		const char *base = row->n_bases ? row->base[b] : NULL;
		struct outcome r = { .p_seeds = &seeds };

		buf_clear(&seeds);
		status = outcome_of(o, row, base, ours, c->measure, paper, &r, e);
		if (!status)
			tsv_line(o, row, base, ours, c, paper, &r, out);
	}
	buf_release(&seeds);
	return status;
}

static int
table_all(const struct outcomes *o, struct buf *out, struct err *e)
{
	const struct grid_section *s = o->section;

	buf_add_str(out, tsv_head);
	for (size_t k = 0; k < o->n_columns; k++)
		for (size_t i = 0; i < s->n_columns; i++)
			for (size_t r = 0; r < s->n_rows && is_first_of_measure(s, i); r++)
				if (tsv_row(o, &s->row[r], &o->column[k], &s->column[i], out, e))
					return -1;
	return 0;
}

/* --- for people: cells with tabs between, which Markdown turns into bars --- */

/* Of a measure and one of our columns: what there is to be said. */
struct cells {
	const struct our_column *ours;
	const char *measure;
	int paper;			/* its column, -1 if no row has a number there */
	bool compared;			/* some row has a base */
};

static struct cells
cells_of(const struct grid_section *s, const struct our_column *ours, const char *measure)
{
	struct cells c = {
		.ours = ours, .measure = measure, .paper = outcome_paper_column(s, measure, ours)
	};
	bool any = false;

	for (size_t r = 0; r < s->n_rows; r++) {
		c.compared |= s->row[r].n_bases > 0 && !is_count(measure);
		any |= c.paper >= 0 && !isnan(s->row[r].paper[c.paper]);
	}
	c.paper = any ? c.paper : -1;
	return c;
}

static void
brief_head(const struct grid_section *s, const struct cells *c, struct buf *out)
{
	buf_printf(out, "\t%s %s%s", c->measure, c->ours->name, c->compared ? "\tdifference" : "");
	if (c->paper >= 0)
		buf_printf(out, "\tpaper, %s%s", s->column[c->paper].name,
			   c->compared ? "\tpaper's difference" : "");
}

/* Mean, deviation, mark; what the base is left behind by; the paper's two. */
static void
brief_cells(const struct cells *c, const struct outcome *r, struct buf *out)
{
	buf_add_char(out, '\t');
	if (is_count(c->measure) && !isnan(r->deviation))
		buf_printf(out, "%.*f", decimals_of(c->measure), r->mean);
	else
		put(out, c->measure, r->mean, false);
	put_spread(out, c->measure, r->deviation);
	buf_add_str(out, mark(r, c->measure));
	if (c->compared) {
		buf_add_char(out, '\t');
		put(out, c->measure, r->difference, true);
	}
	if (c->paper < 0)
		return;
	buf_add_char(out, '\t');
	if (!isnan(r->paper))
		buf_printf(out, is_count(c->measure) ? "%.4g" : "%.2f", r->paper);
	if (c->compared)
		buf_add_char(out, '\t');
	if (c->compared && !isnan(r->paper_difference))
		buf_printf(out, "%+.2f", r->paper_difference);
}

static int
brief_row(const struct outcomes *o, const struct grid_row *row, struct buf *out, struct err *e)
{
	const struct grid_section *s = o->section;
	size_t least = SIZE_MAX, most = 0;

	buf_add_str(out, row->label);
	for (size_t k = 0; k < o->n_columns; k++)
		for (size_t i = 0; i < s->n_columns; i++) {
			const struct cells c = cells_of(s, &o->column[k], s->column[i].measure);
			struct outcome r = { .p_seeds = NULL };

			if (!is_first_of_measure(s, i))
				continue;
			if (outcome_of(o, row, row->n_bases ? row->base[0] : NULL, c.ours, c.measure,
				       c.paper, &r, e))
				return -1;
			brief_cells(&c, &r, out);
			least = r.runs < least ? r.runs : least;
			most = r.runs > most ? r.runs : most;
		}
	if (least < most)
		buf_printf(out, "\t%zu-%zu\n", least, most);
	else
		buf_printf(out, "\t%zu\n", most);
	return 0;
}

static int
brief(const struct outcomes *o, struct buf *out, struct err *e)
{
	const struct grid_section *s = o->section;

	buf_add_str(out, "system");
	for (size_t k = 0; k < o->n_columns; k++)
		for (size_t i = 0; i < s->n_columns; i++) {
			const struct cells c = cells_of(s, &o->column[k], s->column[i].measure);

			if (is_first_of_measure(s, i))
				brief_head(s, &c, out);
		}
	buf_add_str(out, "\truns\n");
	for (size_t r = 0; r < s->n_rows; r++)
		if (brief_row(o, &s->row[r], out, e))
			return -1;
	return 0;
}

/* --- claims: rows that must be better than all of their bases, which the weakest decides --- */

static bool
is_weaker(const struct outcome *a, const struct outcome *b, bool loss)
{
	if (a->verdict != b->verdict)
		return a->verdict < b->verdict;
	return loss ? a->difference > b->difference : a->difference < b->difference;
}

static int
claim_row(const struct outcomes *o, const struct grid_row *row, const struct our_column *ours,
	  const char *measure, struct buf *out, struct err *e)
{
	struct outcome weakest = { .runs = 0 };
	const char *base = NULL;

	for (size_t b = 0; b < row->n_bases; b++) {
		struct outcome r = { .p_seeds = NULL };

		if (outcome_of(o, row, row->base[b], ours, measure, -1, &r, e))
			return -1;
		if (!base || is_weaker(&r, &weakest, measure_of_loss(measure))) {
			weakest = r;
			base = row->base[b];
		}
	}
	if (!base)
		return 0;
	buf_printf(out, "%s\t%s > %s\t%s %s\t", row->label, row->variant, base, measure, ours->name);
	put(out, measure, weakest.difference, true);
	put_spread(out, measure, weakest.error);
	buf_add_char(out, '\t');
	put_p(out, weakest.p_t);
	buf_add_char(out, '\t');
	put_p(out, weakest.p);
	buf_printf(out, "\t%zu\t%s\n", weakest.pairs, verdict_names[weakest.verdict]);
	return 0;
}

static int
claims(const struct outcomes *o, struct buf *out, struct err *e)
{
	const struct grid_section *s = o->section;

	buf_printf(out, "claim\tcompared\tcolumn\tdifference\tp of t\tp of %s\truns\tverdict\n",
		   grid_tests[s->test]);
	for (size_t r = 0; r < s->n_rows; r++)
		for (size_t k = 0; k < o->n_columns; k++)
			for (size_t i = 0; i < s->n_columns; i++)
				if (is_first_of_measure(s, i) &&
				    claim_row(o, &s->row[r], &o->column[k], s->column[i].measure, out, e))
					return -1;
	return 0;
}

/* --- Markdown --- */

static void
rule(const char *line, struct buf *out)
{
	buf_add_str(out, "| --- |");
	for (; *line && *line != '\n'; line++)
		if (*line == '\t')
			buf_add_str(out, " ---: |");
	buf_add_char(out, '\n');
}

static void
to_md(const struct grid_section *s, const char *cells, struct buf *out)
{
	const char *head = cells;

	buf_printf(out, "**%s: %s**\n\n", s->name, s->title);
	for (bool first = true; *cells; cells++) {
		if (cells == head || cells[-1] == '\n')
			buf_add_str(out, "| ");
		if (*cells == '\t')
			buf_add_str(out, " | ");
		else if (*cells == '\n')
			buf_add_str(out, " |\n");
		else
			markdown_cell(out, cells, 1);
		if (*cells == '\n' && first) {
			rule(head, out);
			first = false;
		}
	}
	buf_add_char(out, '\n');
}

int
outcome_table(const struct outcomes *o, enum table_form form, struct buf *out, struct err *e)
{
	const bool of_claims = !strncmp(o->section->name, "claims", 6);
	struct buf cells = { 0 };
	int status;

	if (form == TABLE_TSV)
		return table_all(o, out, e);
	status = of_claims ? claims(o, &cells, e) : brief(o, &cells, e);
	if (!status && form == TABLE_MD)
		to_md(o->section, cells.data, out);
	else if (!status)
		buf_add(out, cells.data, cells.n);
	buf_release(&cells);
	return status;
}
