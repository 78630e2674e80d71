/*
 * corpus-align: extract sentence pairs from packages that contain the same texts in two or more
 * languages.
 *
 * Reads help pages, manual pages and message catalogs from Debian packages or other archives.
 * Pairs paragraphs by id, those of manual pages by their macros, and messages by their originals.
 * Splits the pairs into training, development and test data by page.  See corpus-align(1).
 */
#include <ctype.h>
#include <string.h>

#include "base/cli.h"
#include "base/output.h"
#include "corpora/packages.h"
#include "corpora/pairs.h"
#include "stream/input.h"
#include "stream/stream.h"

static const char *const form_names[] = { "text", "stream", NULL };
enum { TO_TEXT, TO_STREAM };

static struct opt_list languages, catalogs, dev_pages, test_pages;
static const char *prefix, *stats_path, *area, *mark;
static bool descriptions, manpages, quiet, force;
static int part = PAIRS_ALL, form;
static double dev_share = 1.5, test_share = 1.5;
static int64_t seed, max_page = 16, min_words;

static const struct opt options[] = {
	OPT_GROUP("Input"),
	OPT_ROW_LIST('l', "language", "lang", &languages,
		     "set the source language, then each target language"),
	OPT_ROW_FLAG(0, "manpages", &manpages, "read manual pages from any number of packages"),
	OPT_ROW_FLAG(0, "descriptions", &descriptions,
		     "read two of apt's indexes of package descriptions"),
	OPT_ROW_LIST(0, "catalogs", "package", &catalogs,
		     "read the message catalogs in this package; may be repeated"),
	OPT_ROW_TEXT(0, "context-mark", "text", &mark,
		     "drop the context before this text from originals of catalogs"),
	OPT_ROW_TEXT(0, "area", "id", &area,
		     "read only the text inside the HTML element with this id (DisplayArea)"),
	{ .kind = OPT_INT, .long_name = "max-page", .arg = "mib",
	  .help = "accept pages and catalogs of up to mib MiB (16)", .to = &max_page,
	  .min = 1, .max = 1024 },
	OPT_MAX_LINE,
	OPT_GROUP("Data split"),
	{ .kind = OPT_FLOAT, .long_name = "dev", .arg = "percent",
	  .help = "percentage of the pages for development data (1.5)", .to = &dev_share,
	  .min = 0, .max = 50 },
	{ .kind = OPT_FLOAT, .long_name = "test", .arg = "percent",
	  .help = "percentage of the pages for test data (1.5)", .to = &test_share,
	  .min = 0, .max = 50 },
	OPT_ROW_LIST(0, "dev-page", "name", &dev_pages,
		     "use this page or text domain as development data; may be repeated"),
	OPT_ROW_LIST(0, "test-page", "name", &test_pages,
		     "use this page or text domain as test data; may be repeated"),
	OPT_SEED(&seed, "0"),
	OPT_ROW_INT("min-words", &min_words, 0, 1000000,
		    "leave out texts with fewer than n words in the source (0)"),
	OPT_GROUP("Output"),
	OPT_ROW_TEXT('o', "output", "prefix", &prefix,
		     "write prefix.train.lang, prefix.dev.lang, prefix.test.lang"),
	OPT_ROW_CHOICE("to", "form", &form, form_names,
		       "write the files of -o (text, the default) or a stream"),
	OPT_ROW_CHOICE("part", "part", &part, pairs_parts, "write this part to the stream (all)"),
	OPT_ROW_TEXT(0, "stats", "file", &stats_path,
		     "write counts to file, as tab-separated values"),
	OPT_GROUP("Other"),
	OPT_QUIET(&quiet),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_NEEDS("part", "--to stream"),
	OPT_NEEDS("context-mark", "--catalogs"),
	OPT_OLD_LETTER('p', "--part"),
	OPT_OLD_NAME("stream", "--to stream"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "corpus-align",
	.synopsis = "-l lang -l lang ... {-o prefix | --to stream} [options] [package ...]",
	.summary = "extract sentence pairs from help pages, manual pages and message catalogs",
	.example = "corpus-align -l en -l de -o help \\\n"
		   "      libreoffice-help-en-us.deb libreoffice-help-de.deb",
	.options = options,
};

static int
align_packages(struct packages *c, struct pairs_out *o, char **path, int n, struct err *e)
{
	if ((stats_path && output_check(stats_path, e)) || packages_read(c, path, n, e) ||
	    (form == TO_STREAM
	     ? pairs_out_stream(o, part, languages.v, force ? STREAM_FORCE : 0, e)
	     : pairs_out_files(o, prefix, languages.v, (int)languages.n, e)) ||
	    pairs_deal(&c->pairs, pairs_out_put, o, e) || packages_check(c, path, n, e) ||
	    pairs_out_finish(o, e))
		return -1;
	if (!quiet)
		packages_summary(c);
	return stats_path ? packages_stats(c, stats_path, e) : 0;
}

/* A code, perhaps with a region or variant, such as pt-br, zh_CN or sr@latin. */
static bool
is_locale(const char *s)
{
	const size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz");

	s += n;
	while (*s && strchr("-_@", *s) && isalnum((unsigned char)s[1]))
		for (s++; isalnum((unsigned char)*s);)
			s++;
	return (n == 2 || n == 3) && !*s;
}

static void
check_languages(void)
{
	for (size_t i = 0; i < languages.n; i++)
		if (!is_locale(languages.v[i]))
			die_usage("language '%s', expected a code such as de or pt-br",
				  languages.v[i]);
	if (languages.n < 2 || languages.n > PAIRS_MAX_SIDES)
		die_usage("%zu languages, expected -l twice or more: source and target languages",
			  languages.n);
	if (languages.n > 2 && (manpages || form == TO_STREAM))
		die_usage("%zu languages, expected two with %s", languages.n,
			  manpages ? "--manpages" : "--to stream");
	for (size_t i = 0; i < languages.n; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(languages.v[i], languages.v[k]))
				die_usage("language %s is given twice, expected different "
					  "languages", languages.v[i]);
}

static void
check_pages(void)
{
	for (size_t i = 0; i < dev_pages.n; i++)
		for (size_t k = 0; k < test_pages.n; k++)
			if (!strcmp(dev_pages.v[i], test_pages.v[k]))
				die_usage("page %s is development and test data, expected one of "
					  "them", dev_pages.v[i]);
}

static void
corpus_align_check_options(int n)
{
	check_languages();
	check_pages();
	if ((form == TO_STREAM) == !!prefix)
		die_usage("expected one of -o PREFIX and --to stream");
	if (manpages + descriptions + (catalogs.n > 0) > 1 && (manpages || descriptions))
		die_usage("expected only one of --manpages, --descriptions and --catalogs");
	if (area && (manpages || descriptions))
		die_usage("--area is for help pages, expected no --manpages or --descriptions");
	if (area && !n)
		die_usage("--area is for help pages, expected packages with them");
	if (manpages && !n)
		die_usage("no packages, expected at least one");
	if (!manpages && n != (int)languages.n && (n || !catalogs.n))
		die_usage("%d packages, expected %zu: one for each language", n, languages.n);
	if (stats_path && prefix &&
	    pairs_out_writes(prefix, languages.v, (int)languages.n, stats_path))
		die_usage("--stats %s is also a file of -o, expected another file", stats_path);
}

int
main(int argc, char **argv)
{
	struct packages c;
	struct pairs_out out = { .writer = NULL };
	struct err e;
	char **path;
	const int n = cli_begin(&program, argc, argv, &path);
	const struct packages_options how = {
		.kind = manpages ? PACKAGES_MANPAGES : descriptions ? PACKAGES_DESCRIPTIONS :
			PACKAGES_HELP,
		.area = area ? area : "DisplayArea", .mark = mark, .catalogs = &catalogs,
		.max_page = (size_t)max_page << 20
	};

	corpus_align_check_options(n);
	packages_init(&c, &how, languages.v, (int)languages.n);
	c.pairs.share[PAIRS_DEV] = dev_share / 100;
	c.pairs.share[PAIRS_TEST] = test_share / 100;
	c.pairs.named[PAIRS_DEV] = &dev_pages;
	c.pairs.named[PAIRS_TEST] = &test_pages;
	c.pairs.min_words = min_words;
	c.pairs.seed = (uint64_t)seed;
	if (align_packages(&c, &out, path, n, &e)) {
		pairs_out_abandon(&out);
		die(&e);
	}
	packages_release(&c);
	return cli_end(EXIT_OK);
}
