/* outcome-table: see outcome-table.h. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "exchange/table.h"
#include "results/claims-table.h"
#include "results/outcome-table.h"

/* † if the row is better than its baseline, ‡ if it is worse, "" if the interval includes 0. */
static const char *
outcome_mark(const struct difference *d, const char *measure)
{
	if (!measure_is_ranked(measure) || (!(d->low > 0) && !(d->high < 0)))
		return "";
	return (d->mean > 0) != measure_of_loss(measure) ? "†" : "‡";
}

/* --- every value, one line per comparison --- */

static const char tsv_head[] =
	"section\trow\tvariant\tagainst\tcolumn\tpairs\tmeasure\truns\tmean\tdeviation\t"
	"paper column\tpaper\tseeds\tdifference\tlow\thigh\tpaper's difference\tmark\n";

static void
tsv_line(const struct outcomes *o, const struct grid_row *row, const char *base,
	 const struct our_column *ours, const char *measure, struct buf *out)
{
	const int paper = outcome_paper_column(o->section, measure, ours);
	const struct outcome r = outcome_of(o, row, base, ours, measure, paper);

	buf_printf(out, "%s\t%s\t%s\t%s\t%s\t", o->section->name, row->label, row->variant,
		   base ? base : "", ours->name);
	if (!isnan(ours->pairs))
		buf_printf(out, "%.0f", ours->pairs);
	buf_printf(out, "\t%s\t%zu", measure, r.runs);
	cell_value(cell_begin(out), measure, r.mean);
	cell_value(cell_begin(out), measure, r.deviation);
	buf_printf(out, "\t%s", paper < 0 ? "" : o->section->column[paper].name);
	cell_paper(cell_begin(out), measure, r.paper);
	buf_printf(out, "\t%zu", r.difference.n);
	cell_signed(cell_begin(out), measure, r.difference.mean);
	cell_signed(cell_begin(out), measure, r.difference.low);
	cell_signed(cell_begin(out), measure, r.difference.high);
	cell_paper_signed(cell_begin(out), r.paper_difference);
	buf_printf(out, "\t%s\n", outcome_mark(&r.difference, measure));
}

static void
outcome_tsv_row(const struct outcomes *o, const struct grid_row *row, const struct our_column *ours,
		const char *measure, struct buf *out)
{
	if (!row->n_bases)
		tsv_line(o, row, NULL, ours, measure, out);
	for (size_t b = 0; b < row->n_bases; b++)
		tsv_line(o, row, row->base[b], ours, measure, out);
}

static void
table_all(const struct outcomes *o, struct buf *out)
{
	const struct grid_section *s = o->section;

	buf_add_str(out, tsv_head);
	for (size_t k = 0; k < o->n_columns; k++)
		for (size_t i = 0; i < s->n_columns; i++)
			for (size_t r = 0; r < s->n_rows && is_first_of_measure(s, i); r++)
				outcome_tsv_row(o, &s->row[r], &o->column[k], s->column[i].measure,
						out);
}

/* --- for readers, tab-separated --- */

/* The cells of one measure in one of our columns. */
struct cells {
	const struct our_column *ours;
	const char *measure;
	int paper;			/* the paper's column; -1 if no row has a number in it */
	bool compared;			/* at least one row has a baseline */
};

static struct cells
outcome_cells_of(const struct grid_section *s, const struct our_column *ours, const char *measure)
{
	struct cells c = {
		.ours = ours, .measure = measure, .paper = outcome_paper_column(s, measure, ours)
	};
	bool any = false;

	for (size_t r = 0; r < s->n_rows; r++) {
		c.compared |= s->row[r].n_bases > 0 && !measure_of_count(measure);
		any |= c.paper >= 0 && !isnan(s->row[r].paper[c.paper]);
	}
	c.paper = any ? c.paper : -1;
	return c;
}

static void
systems_head(const struct grid_section *s, const struct cells *c, struct buf *out)
{
	buf_printf(out, "\t%s, %s%s", measure_label(c->measure), c->ours->name,
		   c->compared ? "\tdifference" : "");
	if (c->paper >= 0)
		buf_printf(out, "\tpaper, %s%s", s->column[c->paper].name,
			   c->compared ? "\tpaper's difference" : "");
}

/* Mean, deviation and marks; the difference from the baseline; the paper's value and difference. */
static void
system_cells(const struct cells *c, const struct outcome *r, struct buf *out)
{
	cell_mean(cell_begin(out), c->measure, r->mean, r->deviation);
	buf_printf(out, "%s%s", r->runs == 1 ? "¹" : "", outcome_mark(&r->difference, c->measure));
	if (c->compared)
		cell_signed(cell_begin(out), c->measure, r->difference.mean);
	if (c->paper < 0)
		return;
	cell_paper(cell_begin(out), c->measure, r->paper);
	if (c->compared)
		cell_paper_signed(cell_begin(out), r->paper_difference);
}

static void
system_row(const struct outcomes *o, const struct grid_row *row, const struct cells *c, size_t n,
	   struct buf *out)
{
	size_t min_runs = SIZE_MAX, max_runs = 0;

	buf_add_str(out, row->label);
	for (size_t i = 0; i < n; i++) {
		const struct outcome r = outcome_of(o, row, row->n_bases ? row->base[0] : NULL,
						    c[i].ours, c[i].measure, c[i].paper);

		system_cells(&c[i], &r, out);
		min_runs = r.runs < min_runs ? r.runs : min_runs;
		max_runs = r.runs > max_runs ? r.runs : max_runs;
	}
	if (min_runs < max_runs)
		buf_printf(out, "\t%zu-%zu\n", min_runs, max_runs);
	else
		buf_printf(out, "\t%zu\n", max_runs);
}

static void
systems_table(const struct outcomes *o, struct buf *out)
{
	const struct grid_section *s = o->section;
	struct cells *c = xcalloc(o->n_columns * s->n_columns + 1, sizeof(*c));
	size_t n = 0;

	buf_add_str(out, "system");
	for (size_t k = 0; k < o->n_columns; k++)
		for (size_t i = 0; i < s->n_columns; i++) {
			if (!is_first_of_measure(s, i))
				continue;
			c[n] = outcome_cells_of(s, &o->column[k], s->column[i].measure);
			systems_head(s, &c[n++], out);
		}
	buf_add_str(out, "\truns\n");
	for (size_t r = 0; r < s->n_rows; r++)
		system_row(o, &s->row[r], c, n, out);
	free(c);
}

/* Tab-separated: every value, or for readers. */
static int
outcome_cells(const struct outcomes *o, enum outcome_form form, struct buf *out, struct buf *notes,
	      struct err *e)
{
	if (grid_is_claims(o->section))
		return claims_table(o, form == OUTCOME_TSV, out,
				    form == OUTCOME_MD ? notes : NULL, e);
	if (form == OUTCOME_TSV)
		table_all(o, out);
	else
		systems_table(o, out);
	return 0;
}

int
outcome_table(const struct outcomes *o, enum outcome_form form, struct buf *out, struct err *e)
{
	const struct grid_section *s = o->section;
	struct buf text = { 0 }, notes = { 0 };
	const int status = outcome_cells(o, form, &text, &notes, e);

	if (!status && form == OUTCOME_MD) {
		buf_printf(out, "**%s [%s]**\n\n", s->title, s->name);
		table_lines(out, TABLE_MARKDOWN, text.data);
		buf_printf(out, "\n%s%s", notes.n ? notes.data : "", notes.n ? "\n" : "");
	} else if (!status && form == OUTCOME_LATEX) {
		buf_printf(out, "%% %s [%s]\n%% needs \\usepackage{booktabs}\n", s->title,
			   s->name);
		table_lines(out, TABLE_LATEX, text.data);
	} else if (!status) {
		buf_add(out, text.data, text.n);
	}
	buf_release(&text);
	buf_release(&notes);
	return status;
}
