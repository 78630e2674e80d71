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
#include "results/outcome-warnings.h"
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
	OPT_NOT_WITH("section only drafts to", "--rows"),
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

/* Dies with a message that lists the sections of the grid. */
static NORETURN void
die_section(const struct grid *g)
{
	struct buf known = { 0 };

	if (!g->n)
		die_usage("%s: no sections, expected the section '%s'", path, section);
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
	if (form == FORM_GAINS)
		o.also[1] = "bleu";
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
	outcomes_warn(&o, path);
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

	for (char *s = strtok(text, " "); s; s = strtok(NULL, " ")) {
		if (!grid_has_variant(g, s))
			die_usage("--only: %s has no variant '%s', expected its rows or baselines",
				  path, s);
		variant[n++] = s;
	}
	if (!n)
		die_usage("--only without variants, expected one or more");
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
	if (rows && n)
		die_usage("--rows with %s, expected only a grid", *record);
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
