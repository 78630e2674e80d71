/*
 * heed-report: tables, claims, figures and runs as one self-contained page of HTML; see
 * heed-report(1).
 */
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "stream/input.h"
#include "page/page.h"

static struct opt_parts parts;
static int64_t samples = 10;
static const char *title = "Report", *output;

#define PART(name, what, text) { .kind = OPT_PARTS, .long_name = name, .arg = what, .help = text, \
	.to = &parts }

static const struct opt options[] = {
	PART("alt", "text", "what the figure before it shows, for those who do not see it"),
	PART("caption", "text", "of the table, figure, walk, link or translations before it"),
	PART("claims", "file", "a table of claims with verdicts"),
	PART("figure", "file", "a figure: SVG"),
	PART("heading", "text", "what stands over what follows"),
	PART("link", "address", "a link to another page"),
	OPT_MAX_LINE,
	OPT_OUTPUT(&output),
	PART("run", "folder", "a run: its settings, record and model"),
	{ .kind = OPT_INT, .long_name = "samples", .arg = "n", .help = "translated sentences shown",
	  .to = &samples, .min = 0, .max = 1000000 },
	PART("subheading", "text", "the same, below a heading"),
	PART("table", "file", "a table: tab-separated, names of the columns first, or of Markdown"),
	PART("terms", "file", "explanations: term and text with a tab between"),
	PART("text", "text", "a paragraph"),
	{ .kind = OPT_STRING, .long_name = "title", .arg = "text", .help = "the page's title",
	  .to = &title },
	PART("translations", "file", "a stream with hyp; several in a row are shown together"),
	PART("walk", "file", "what head-map --html wrote, as a page within the page"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "heed-report",
	.synopsis = "[--title text] [--heading text] [--claims file] [--table file] [--figure "
		    "file] ... [-o file]",
	.summary = "tables, claims, figures and runs as one self-contained page of HTML",
	.options = options, .reads = NULL, .writes = "-",
};

/* What is asked for, and what was said of it. */
struct item { const char *what, *value, *caption, *alt; };

static bool
is(const struct item *i, const char *what)
{
	return !strcmp(i->what, what);
}

static bool
takes_caption(const struct item *i)
{
	return is(i, "table") || is(i, "claims") || is(i, "figure") || is(i, "walk") ||
	       is(i, "link") || is(i, "terms") || is(i, "translations");
}

static void
describe(struct item *i, const char *what, const char *value)
{
	if (!strcmp(what, "alt") ? !i || !is(i, "figure") : !i || !takes_caption(i))
		die_usage("--%s %s: there is nothing before it that it could be of", what, value);
	*(!strcmp(what, "alt") ? &i->alt : &i->caption) = value;
}

static struct item *
collect(size_t *n)
{
	struct item *item = xcalloc(parts.n + 1, sizeof(*item));

	*n = 0;
	for (size_t i = 0; i < parts.n; i++) {
		const char *what = parts.part[i].opt->long_name, *value = parts.part[i].v;

		if (!strcmp(what, "alt") || !strcmp(what, "caption"))
			describe(*n ? &item[*n - 1] : NULL, what, value);
		else
			item[(*n)++] = (struct item){ .what = what, .value = value };
	}
	return item;
}

/* How many from here on are of one kind. */
static size_t
alike(const struct item *i)
{
	size_t n = 1;

	while (i[n].what && is(&i[n], i->what))
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

static int
add_translations(struct page *p, const struct item *i, size_t n, struct err *e)
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

/* Adds what is next; how many items that were, 0 on failure. */
static size_t
add(struct page *p, const struct item *i, struct err *e)
{
	size_t n = 1;
	int r = 0;

	if (is(i, "heading") || is(i, "subheading"))
		page_heading(p, is(i, "heading") ? 2 : 3, i->value);
	else if (is(i, "text"))
		page_text(p, i->value);
	else if (is(i, "link"))
		r = page_link(p, i->value, i->caption, e);
	else if (is(i, "table"))
		r = page_table(p, i->value, i->caption, e);
	else if (is(i, "claims"))
		r = page_claims(p, i->value, i->caption, e);
	else if (is(i, "terms"))
		r = page_terms(p, i->value, i->caption ? i->caption : "How to read this", e);
	else if (is(i, "figure"))
		r = page_figure(p, i->value, i->caption, i->alt, e);
	else if (is(i, "walk"))
		r = page_walk(p, i->value, i->caption, e);
	else if (is(i, "run"))
		r = add_runs(p, i, n = alike(i), e);
	else
		r = add_translations(p, i, n = alike(i), e);
	return r ? 0 : n;
}

static void
make_page(struct buf *html)
{
	struct item *item;
	struct page p;
	struct err e;
	size_t n, many;

	item = collect(&n);
	if (!n)
		die_usage("nothing to show, expected --table, --figure, --run or the like");
	page_init(&p);
	for (size_t i = 0; i < n; i += many) {
		many = add(&p, &item[i], &e);
		if (!many)
			die(&e);
	}
	page_finish(&p, title, html);
	free(item);
}

int
main(int argc, char **argv)
{
	struct buf html = { 0 };
	struct output *out;
	struct err e;
	char **operand;

	if (cli_begin(&program, argc, argv, &operand))
		die_usage("an option was expected, not '%s'", *operand);
	make_page(&html);
	out = output_open(output, 0, &e);
	if (!out || output_write(out, html.data, html.n, &e) || output_finish(out, &e))
		die(&e);
	buf_release(&html);
	return cli_end(EXIT_OK);
}
