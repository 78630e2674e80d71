/* heed-report: writes a self-contained HTML page of results; see heed-report(1). */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "results/page.h"
#include "stream/input.h"

static struct opt_parts parts;
static int64_t samples = 10;
static const char *title = "Report", *output;

static const struct opt options[] = {
	OPT_GROUP("Page"),
	OPT_ROW_TEXT(0, "title", "text", &title, "set the title of the page (Report)"),
	OPT_ROW_PART("heading", "text", &parts, "add a heading"),
	OPT_ROW_PART("fold", "text", &parts, "add a heading with a collapsed section"),
	OPT_ROW_PART("subheading", "text", &parts, "add a subheading"),
	OPT_ROW_PART("text", "text", &parts, "add a paragraph"),
	OPT_ROW_PART("link", "address", &parts, "add a link to another page"),
	OPT_GROUP("Results"),
	OPT_ROW_PART("findings", "file", &parts,
		     "add what was found, written by heed-table --to findings"),
	OPT_ROW_PART("claims", "file", &parts,
		     "add claims from a table with the columns claim and verdict"),
	OPT_ROW_PART("table", "file", &parts,
		     "add a table: tab-separated with column names, or Markdown"),
	OPT_ROW_PART("figure", "file", &parts, "add an SVG figure"),
	OPT_ROW_PART("walk", "file", &parts,
		     "add an interactive view of heads, written by head-map --to html"),
	OPT_ROW_PART("heads", "file", &parts,
		     "add a map of heads, from a table written by head-compare --table"),
	OPT_ROW_PART("translations", "file", &parts, "add translations from a stream with hyp"),
	OPT_ROW_INT("samples", &samples, 0, 1000000,
		    "show the translations of the first n sentences (10)"),
	OPT_ROW_PART("run", "folder", &parts, "add a run: its record, settings and model"),
	OPT_ROW_PART("terms", "file", &parts,
		     "add a list of terms: lines of term, tab, explanation"),
	OPT_GROUP("Captions"),
	OPT_ROW_PART("caption", "text", &parts,
		     "set the caption, title or name of the preceding part"),
	OPT_ROW_PART("narrow", "file", &parts,
		     "show this SVG figure instead of the preceding one on phones"),
	OPT_ROW_PART("walk-page", "address", &parts,
		     "link the heads of the preceding map to a page of head-map --to html"),
	OPT_ROW_PART("alt", "text", &parts,
		     "set the alternative text of the preceding figure (its caption)"),
	OPT_GROUP("Other"),
	OPT_MAX_LINE,
	OPT_OUTPUT(&output),
	OPT_NEEDS("samples", "--translations"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-report",
	.synopsis = "[--title text] [--heading text] [--claims file] [--table file] [--figure "
		    "file] ... [-o file]",
	.summary = "write an HTML page with tables, claims, figures and runs",
	.example = "heed-report --title Results --table table.tsv --caption BLEU -o report.html",
	.options = options,
};

/* A part of the page: its option and value, and its caption and others or NULL. */
struct item { const char *option, *value, *caption, *alt, *walk, *narrow; };

static bool
report_is(const struct item *i, const char *option)
{
	return !strcmp(i->option, option);
}

/* The options that describe the preceding part, the parts that take them, and their members. */
static const struct caption {
	const char *option, *part[9];
	size_t at;
	const char *expected;
} captions[] = {
	{ "caption", { "table", "claims", "figure", "walk", "link", "terms", "translations",
		       "heads" },
	  offsetof(struct item, caption), "--table, --figure or another part with a caption" },
	{ "alt", { "figure" }, offsetof(struct item, alt), "--figure" },
	{ "narrow", { "figure" }, offsetof(struct item, narrow), "--figure" },
	{ "walk-page", { "heads" }, offsetof(struct item, walk), "--heads" },
	{ .option = NULL }
};

static void
report_describe(struct item *i, const struct caption *c, const char *value)
{
	const char *const *part = c->part, **member;

	while (i && *part && !report_is(i, *part))
		part++;
	if (!i || !*part)
		die_usage("--%s %s: expected it after %s", c->option, value, c->expected);
	member = (const char **)(void *)((char *)i + c->at);
	if (*member)
		die_usage("--%s %s: --%s %s has %s already, expected one", c->option, value,
			  i->option, i->value, *member);
	*member = value;
}

static struct item *
report_collect(size_t *n)
{
	struct item *item = xcalloc(parts.n + 1, sizeof(*item));

	*n = 0;
	for (size_t i = 0; i < parts.n; i++) {
		const char *option = parts.part[i].opt->long_name, *value = parts.part[i].v;
		const struct caption *c = captions;

		while (c->option && strcmp(c->option, option))
			c++;
		if (c->option)
			report_describe(*n ? &item[*n - 1] : NULL, c, value);
		else
			item[(*n)++] = (struct item){ .option = option, .value = value };
	}
	return item;
}

/* Length of the sequence of items of one kind that begins at i. */
static size_t
n_alike(const struct item *i)
{
	size_t n = 1;

	while (i[n].option && report_is(&i[n], i->option))
		n++;
	return n;
}

static int
add_runs(struct page *p, const struct item *i, size_t n, struct err *e)
{
	const char **folder = xcalloc(n, sizeof(*folder));
	int r;

	for (size_t k = 0; k < n; k++)
		folder[k] = i[k].value;
	r = page_runs(p, folder, n, e);
	free(folder);
	return r;
}

/* Claims that were not run are listed together, after the tables. */
static int
add_claims(struct page *p, const struct item *i, size_t n, struct err *e)
{
	for (size_t k = 0; k < n; k++)
		if (page_claims(p, i[k].value, i[k].caption, e))
			return -1;
	page_claims_end(p);
	return 0;
}

static int
report_add_translations(struct page *p, const struct item *i, size_t n, struct err *e)
{
	struct page_stream *stream = xcalloc(n, sizeof(*stream));
	int r;

	for (size_t k = 0; k < n; k++)
		stream[k] = (struct page_stream){ .path = i[k].value,
			.name = i[k].caption ? i[k].caption : "translation" };
	r = page_translations(p, stream, n, samples, e);
	free(stream);
	return r;
}

/* Adds the next part.  Returns the number of items that it consists of, or 0 on failure. */
static size_t
report_add(struct page *p, const struct item *i, struct err *e)
{
	size_t n = 1;
	int r = 0;

	if (report_is(i, "heading") || report_is(i, "subheading"))
		page_heading(p, report_is(i, "heading") ? 2 : 3, i->value);
	else if (report_is(i, "fold"))
		page_fold(p, i->value);
	else if (report_is(i, "text"))
		page_text(p, i->value);
	else if (report_is(i, "link"))
		r = page_link(p, i->value, i->caption, e);
	else if (report_is(i, "table"))
		r = page_table(p, i->value, i->caption, e);
	else if (report_is(i, "findings"))
		r = page_findings(p, i->value, e);
	else if (report_is(i, "claims"))
		r = add_claims(p, i, n = n_alike(i), e);
	else if (report_is(i, "terms"))
		r = page_terms(p, i->value, i->caption ? i->caption : "Explanations", e);
	else if (report_is(i, "figure"))
		r = page_figure(p, &(struct page_drawing) {
			.path = i->value, .narrow = i->narrow, .caption = i->caption, .alt = i->alt
		}, e);
	else if (report_is(i, "walk"))
		r = page_walk(p, i->value, i->caption, e);
	else if (report_is(i, "heads"))
		r = page_heads(p, i->value, i->walk, i->caption, e);
	else if (report_is(i, "run"))
		r = add_runs(p, i, n = n_alike(i), e);
	else
		r = report_add_translations(p, i, n = n_alike(i), e);
	return r ? 0 : n;
}

static void
make_page(struct buf *html)
{
	struct item *item;
	struct page p;
	struct err e;
	size_t n, used;

	item = report_collect(&n);
	if (!n)
		die_usage("no parts, expected at least one of --table, --figure, --run and others");
	page_init(&p);
	for (size_t i = 0; i < n; i += used) {
		used = report_add(&p, &item[i], &e);
		if (!used)
			die(&e);
	}
	page_finish(&p, title, html);
	free(item);
}

int
main(int argc, char **argv)
{
	struct buf html = { 0 };
	struct err e;
	char **operand;

	if (cli_begin(&program, argc, argv, &operand))
		die_usage("operand '%s', expected options only", *operand);
	make_page(&html);
	if (output_text(output, &html, &e))
		die(&e);
	return cli_end(EXIT_OK);
}
