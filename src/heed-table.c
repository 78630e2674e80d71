/*
 * heed-table: compares runs with the tables of a paper and judges its claims; see heed-table(1).
 *
 * Tables have means and standard deviations over seeds, the paper's numbers, and differences from
 * the baseline with confidence intervals.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "draw/figure-file.h"
#include "model/engine.h"
#include "results/claims-findings.h"
#include "results/claims-forest.h"
#include "results/claims-lengths.h"
#include "results/claims-slopes.h"
#include "results/ledger.h"
#include "results/outcome-gains.h"
#include "results/outcome-points.h"
#include "results/outcome-table.h"
#include "stream/input.h"

enum { FORM_FOREST = OUTCOME_LATEX + 1, FORM_LENGTHS, FORM_FINDINGS, FORM_SLOPES, FORM_GAINS,
       FORM_POINTS };
static const char *const forms[] = {
	"tsv", "brief", "md", "latex", "forest", "lengths", "findings", "slopes", "gains", "points",
	NULL
};

static bool rows, drafts, narrow;
static int form;
static const char *path, *section, *output, *only, *width, *over = "pairs";

static const struct opt options[] = {
	OPT_GROUP("Grid"),
	OPT_ROW_TEXT('g', "grid", "file", &path,
		     "read the tables and claims of the paper from file"),
	OPT_ROW_TEXT(0, "section", "name", &section, "make the table of this section (table1)"),
	OPT_ROW_TEXT(0, "only", "variants", &only,
		     "only rows and claims of these variants, separated by blanks"),
	OPT_ROW_FLAG(0, "rows", &rows,
		     "list the comparisons of the grid instead of making a table"),
	OPT_GROUP("Records"),
	OPT_ROW_FLAG(0, "drafts", &drafts,
		     "accept records without a commit or engine number, or with "
		     "uncommitted changes"),
	OPT_MAX_LINE,
	OPT_GROUP("Output"),
	OPT_OUTPUT(&output),
	OPT_ROW_CHOICE("to", "form", &form, forms, "output format (tsv)"),
	OPT_ROW_TEXT(0, "over", "x", &over,
		     "x axis of points: pairs, label, corpus, corpus:measure or measure (pairs)"),
	OPT_ROW_FLAG(0, "narrow", &narrow, "draw a figure for phones"),
	OPT_ROW_TEXT('w', "width", "length", &width, "width of a figure, such as 16cm"),
	OPT_NEEDS("over", "--to points or --to slopes"),
	OPT_OLD_NAME("form", "--to"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-table",
	.synopsis = "-g grid [--drafts] [--to form] [--section name] [--only variants] "
		    "[-o file] [record ...]",
	.summary = "compare runs with the tables and claims of a paper",
	.example = "heed-table -g src/papers/syntax.grid --section rhe --to md "
		   "results/syntax/run/*/*/*/record",
	.options = options,
};

/* Lists SECTION/SCOPE/VARIANT/BASE, one comparison per line. */
static void
list_rows(const struct grid *g, struct buf *out)
{
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->section[i].n_rows; k++) {
			const struct grid_section *s = &g->section[i];
			const struct grid_row *r = &s->row[k];

			for (size_t b = 0; b < (r->n_bases ? r->n_bases : 1); b++)
				buf_printf(out, "%s/%s/%s/%s\n", s->name,
					   s->sizes ? "sizes" : "whole", r->variant,
					   r->n_bases ? r->base[b] : "-");
		}
}

/* Warns of columns of the section, with which a misspelled measure would leave an empty table. */
static void
warn_of_empty_columns(const struct outcomes *o)
{
	const struct grid_section *s = o->section;

	for (size_t c = 0; o->n_runs && s && c < s->n_columns; c++) {
		size_t i = 0;

		while (i < o->n_runs && isnan(facts_number(&o->run[i], s->column[c].measure)))
			i++;
		if (i == o->n_runs)
			warn("%s: section %s: no record has the number %s", path, s->name,
			     s->column[c].measure);
	}
}

/* Whether any run in this column has the number. */
static bool
table_is_measured(const struct outcomes *o, const char *column, const char *measure)
{
	for (size_t i = 0; i < o->n_runs; i++)
		if (!strcmp(o->run[i].column, column) &&
		    !isnan(facts_number(&o->run[i], measure)))
			return true;
	return false;
}

/* Warns of runs without a score that others have: differences and claims leave out their seeds. */
static void
warn_of_missing_scores(const struct outcomes *o)
{
	static const char *const score[] = { "test.nll", "bleu" };

	for (size_t i = 0; i < o->n_runs; i++)
		for (size_t k = 0; k < sizeof(score) / sizeof(*score); k++)
			if (isnan(facts_number(&o->run[i], score[k])) &&
			    table_is_measured(o, o->run[i].column, score[k]))
				warn("%s: no fact '%s', which other runs of %s have",
				     o->run[i].path, score[k], o->run[i].column);
}

static bool
table_is_known(const struct outcomes *o, const char *variant)
{
	for (size_t i = 0; i < o->grid->n; i++)
		for (size_t k = 0; k < o->grid->section[i].n_rows; k++)
			if (!strcmp(o->grid->section[i].row[k].variant, variant))
				return true;
	for (size_t i = 0; i < o->n_runs; i++)
		if (!strcmp(o->run[i].variant, variant))
			return true;
	return false;
}

/* Warns of baselines that nothing else names: a misspelled one looks like one that was not run. */
static void
warn_of_unknown_bases(const struct outcomes *o)
{
	const char *last = "";

	for (size_t i = 0; i < o->grid->n; i++) {
		const struct grid_section *s = &o->grid->section[i];

		for (size_t k = 0; (!o->section || s == o->section) && k < s->n_rows; k++)
			for (size_t b = 0; b < s->row[k].n_bases; b++) {
				const char *base = s->row[k].base[b];

				if (strcmp(base, last) && !table_is_known(o, base))
					warn("%s: section %s: baseline %s has no row and no "
					     "record", path, s->name, base);
				last = base;
			}
	}
}

/* Dies with a message that lists the sections of the grid. */
static NORETURN void
die_section(const struct grid *g)
{
	struct buf known = { 0 };

	for (size_t i = 0; i < g->n; i++)
		buf_printf(&known, "%s%s", i ? ", " : "", g->section[i].name);
	die_usage("%s: no section '%s', expected one of %s", path, section, known.data);
}

static int
make_form(struct outcomes *o, struct buf *out, struct err *e)
{
	const struct points_over x = points_over(over);

	switch (form) {
	case FORM_FOREST: return claims_forest(o, o->section, narrow, out, e);
	case FORM_LENGTHS: return claims_lengths(o, o->section, out, e);
	case FORM_FINDINGS: return claims_findings(o, out, e);
	case FORM_SLOPES: return claims_slopes(o, &x, out, e);
	case FORM_GAINS: outcome_gains(o, narrow, out); return 0;
	case FORM_POINTS: outcome_points(o, &x, out); return 0;
	/* Sections of claims are written by claims_table(). */
	default: return outcome_table(o, (enum outcome_form)form, out, e);
	}
}

static void
make_table(const struct grid *g, char **record, int n, struct buf *out)
{
	struct outcomes o = {
		.grid = g, .section = section ? grid_find(g, section) : NULL,
		.run = xcalloc((size_t)n + 1, sizeof(struct facts)), .n_runs = (size_t)n
	};
	const struct points_over x = points_over(over);
	struct err e;

	if (form == FORM_POINTS || form == FORM_SLOPES) {
		o.also[0] = x.measure;
		o.also[1] = "bleu";
	}
	if (!section && (form < FORM_FOREST || form >= FORM_GAINS))
		o.section = grid_find(g, section = "table1");
	if (section && !o.section)
		die_section(g);
	for (int i = 0; i < n; i++)
		if (facts_read(&o.run[i], record[i], &e) ||
		    ledger_admit(&o.run[i], HEED_ENGINE, drafts, &e))
			die(&e);
	if (ledger_all_distinct(o.run, o.n_runs, &e) ||
	    ledger_all_comparable(o.run, o.n_runs, &e) || outcomes_check(&o, &e))
		die(&e);
	warn_of_empty_columns(&o);
	warn_of_missing_scores(&o);
	warn_of_unknown_bases(&o);
	outcomes_init(&o);
	if (make_form(&o, out, &e))
		die(&e);
	outcomes_release(&o);
	for (int i = 0; i < n; i++)
		facts_release(&o.run[i]);
	free(o.run);
}

static void
keep_only(struct grid *g)
{
	const char **variant = xcalloc(strlen(only) + 1, sizeof(*variant));
	char *text = xstrdup(only);
	size_t n = 0;

	for (char *s = strtok(text, " "); s; s = strtok(NULL, " "))
		variant[n++] = s;
	grid_keep(g, variant, n);
	free(variant);
	free(text);
}

int
main(int argc, char **argv)
{
	struct figure_file as = { .scale = 2 };
	struct buf text = { 0 };
	struct grid g;
	struct err e;
	char **record;
	const int n = cli_begin(&program, argc, argv, &record);
	const bool figure = form == FORM_FOREST || form == FORM_GAINS;

	if (!path)
		die_usage("no grid, expected -g file");
	if (rows && (n || section || form || drafts))
		die_usage("--rows with %s, expected only a grid",
			  section ? "--section" : form ? "--to" : drafts ? "--drafts" : *record);
	if (narrow && !figure)
		die_usage("--narrow without --to forest or gains, expected one of them");
	if ((form == FORM_FINDINGS || form == FORM_SLOPES) && section)
		die_usage("--section with --to %s, expected neither or one of them: %s are those "
			  "of the whole grid", forms[form], forms[form]);
	if (points_over(over).measure && !*points_over(over).measure)
		die_usage("--over '%s', expected pairs, label, corpus, corpus:measure or a measure",
			  over);
	if (form == FORM_SLOPES && points_over(over).axis != POINTS_CORPUS)
		die_usage("--to slopes --over %s, expected --over corpus or corpus:measure", over);
	if (width && !figure)
		die_usage("--width without --to forest or gains, expected one of them");
	if ((figure && figure_file_choose(output, FIGURE_BY_NAME, &as.form, &e)) ||
	    (width && figure_file_length(width, &as.width, &e) && err_wrap(&e, "--width")) ||
	    grid_read(&g, path, &e))
		die(&e);
	if (only)
		keep_only(&g);
	if (rows)
		list_rows(&g, &text);
	else
		make_table(&g, record, n, &text);
	if (figure ? figure_file_save(&text, &as, output, false, &e)
		   : output_all(output, 0, text.data, text.n, &e))
		die(&e);
	buf_release(&text);
	grid_release(&g);
	return cli_end(EXIT_OK);
}
