/*
 * corpus-align: extract sentence pairs from packages that contain the same pages in two languages.
 *
 * Reads the pages from Debian packages or other archives.  Pairs their paragraphs and headings by
 * id, or those of manual pages by their macros.  Splits the pairs into training, development and
 * test data by page.  See corpus-align(1).
 */
#include <stdio.h>
#include <string.h>

#include "base/cli.h"
#include "base/output.h"
#include "corpora/help-pages.h"
#include "corpora/man-pages.h"
#include "corpora/pairs.h"
#include "stream/input.h"
#include "stream/stream.h"

static const char *const form_names[] = { "text", "stream", NULL };
enum { TO_TEXT, TO_STREAM };

static struct opt_list languages;
static const char *prefix, *stats_path, *area;
static bool descriptions, manpages, quiet, force;
static int part = PAIRS_ALL, form;
static double dev_share = 1.5, test_share = 1.5;
static int64_t seed, max_page = 16;

static const struct opt options[] = {
	OPT_GROUP("Input"),
	{ .kind = OPT_LIST, .short_name = 'l', .long_name = "language", .arg = "lang",
	  .help = "set the source language, then the target language", .to = &languages },
	{ .kind = OPT_FLAG, .long_name = "manpages",
	  .help = "read manual pages from any number of packages", .to = &manpages },
	{ .kind = OPT_FLAG, .long_name = "descriptions",
	  .help = "read two of apt's indexes of package descriptions", .to = &descriptions },
	{ .kind = OPT_STRING, .long_name = "area", .arg = "id",
	  .help = "read only the text inside the HTML element with this id (DisplayArea)",
	  .to = &area },
	{ .kind = OPT_INT, .long_name = "max-page", .arg = "mib",
	  .help = "accept pages of up to mib MiB (16)", .to = &max_page, .min = 1, .max = 1024 },
	OPT_MAX_LINE,
	OPT_GROUP("Data split"),
	{ .kind = OPT_FLOAT, .long_name = "dev", .arg = "percent",
	  .help = "percentage of the pages for development data (1.5)", .to = &dev_share,
	  .min = 0, .max = 50 },
	{ .kind = OPT_FLOAT, .long_name = "test", .arg = "percent",
	  .help = "percentage of the pages for test data (1.5)", .to = &test_share,
	  .min = 0, .max = 50 },
	OPT_SEED(&seed, "0"),
	OPT_GROUP("Output"),
	{ .kind = OPT_STRING, .short_name = 'o', .long_name = "output", .arg = "prefix",
	  .help = "write prefix.train.lang, prefix.dev.lang, prefix.test.lang", .to = &prefix },
	{ .kind = OPT_CHOICE, .long_name = "to", .arg = "form", .to = &form, .choice = form_names,
	  .help = "write the files of -o (text, the default) or a stream" },
	{ .kind = OPT_CHOICE, .long_name = "part", .arg = "part",
	  .help = "write this part to the stream (all)", .to = &part, .choice = pairs_parts },
	{ .kind = OPT_STRING, .long_name = "stats", .arg = "file",
	  .help = "write counts to file, as tab-separated values", .to = &stats_path },
	OPT_GROUP("Other"),
	OPT_QUIET(&quiet),
	OPT_FORCE(&force),
	OPT_NO_PG,
	OPT_NEEDS("part", "--to stream"),
	OPT_OLD_LETTER('p', "--part"),
	OPT_OLD_NAME("stream", "--to stream"),
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "corpus-align",
	.synopsis = "-l lang -l lang {-o prefix | --to stream} [options] package ...",
	.summary = "extract sentence pairs from help pages, manual pages and package descriptions",
	.example = "corpus-align -l en -l de -o help \\\n"
		   "      libreoffice-help-en-us.deb libreoffice-help-de.deb",
	.options = options, .writes = "sentence",
};

struct corpus {
	struct pairs pairs;
	struct man_pages man;
	struct help_pages help;
};

static int
read_manpages(struct corpus *c, char **path, int n, struct err *e)
{
	int side, i;

	for (side = 0; side < 2; side++) {
		for (i = 0; i < n; i++)
			if (man_pages_read(&c->man, side, path[i], e))
				return -1;
		if (c->man.pages[side])
			continue;
		err_set(e, EXIT_INPUT, "no manual page in %s in the %s", languages.v[side],
			n == 1 ? "package" : "packages");
		err_hint(e, "English pages are share/man/manN/*, those in pt-br "
			 "share/man/pt_BR/manN/*; corpus-fetch downloads packages");
		return -1;
	}
	return 0;
}

struct row { const char *name; int64_t n; };

static int
write_rows(struct output *o, const struct row *row, struct err *e)
{
	for (; row->name; row++)
		if (output_printf(o, e, "%s\t%lld\n", row->name, (long long)row->n))
			return -1;
	return 0;
}

/* Writes the rows of the input, then those of the pairs. */
static int
write_stats(const struct row *read, const struct row *made, struct err *e)
{
	struct output *o = output_open(stats_path, 0, e);

	if (!o)
		return -1;
	if (write_rows(o, read, e) || write_rows(o, made, e)) {
		output_abandon(o);
		return -1;
	}
	return output_finish(o, e);
}

static void
print_summary(const struct corpus *c)
{
	const struct pairs *p = &c->pairs;
	const struct man_pages *m = &c->man;
	int64_t pages = manpages ? m->same + m->partly + m->apart : c->help.pages[0];

	fprintf(stderr, "%s-%s: %lld blocks on %lld pages, %lld empty, %lld untranslated, "
		"%lld duplicates; %lld pairs: %lld train, %lld dev, %lld test "
		"(%lld removed from train and dev because they are in dev or test)\n",
		languages.v[0], languages.v[1], (long long)p->joined, (long long)pages,
		(long long)p->empty, (long long)p->untranslated, (long long)p->repeated,
		(long long)(p->out[PAIRS_TRAIN] + p->out[PAIRS_DEV] + p->out[PAIRS_TEST]),
		(long long)p->out[PAIRS_TRAIN], (long long)p->out[PAIRS_DEV],
		(long long)p->out[PAIRS_TEST], (long long)p->leaked);
	if (manpages)
		fprintf(stderr, "%s-%s: pages: %lld without original, %lld partly aligned, "
			"%lld not aligned, %lld not UTF-8; paragraphs: %lld without "
			"translation, %lld of too different length\n",
			languages.v[0], languages.v[1], (long long)m->alone, (long long)m->partly,
			(long long)m->apart, (long long)m->not_utf8, (long long)m->unpaired,
			(long long)m->uneven);
}

static int
corpus_align_report(const struct corpus *c, struct err *e)
{
	const struct pairs *p = &c->pairs;
	const struct man_pages *m = &c->man;
	const struct row html[] = {
		{ "pages.source", c->help.pages[0] }, { "pages.target", c->help.pages[1] },
		{ "blocks.source", c->help.blocks[0] }, { "blocks.target", c->help.blocks[1] },
		{ "code", c->help.code }, { NULL, 0 }
	};
	const struct row man[] = {
		{ "pages.source", m->pages[0] }, { "pages.target", m->pages[1] },
		{ "pages.alone", m->alone }, { "pages.same", m->same },
		{ "pages.partly", m->partly }, { "pages.apart", m->apart },
		{ "pages.not-utf8", m->not_utf8 }, { "blocks.source", m->blocks[0] },
		{ "blocks.target", m->blocks[1] }, { "code", m->code },
		{ "unpaired", m->unpaired }, { "uneven", m->uneven }, { NULL, 0 }
	};
	const struct row made[] = {
		{ "joined", p->joined }, { "empty", p->empty },
		{ "untranslated", p->untranslated }, { "cut", p->cut },
		{ "repeated", p->repeated }, { "leaked", p->leaked },
		{ "train", p->out[PAIRS_TRAIN] }, { "dev", p->out[PAIRS_DEV] },
		{ "test", p->out[PAIRS_TEST] }, { NULL, 0 }
	};

	if (!quiet)
		print_summary(c);
	return stats_path ? write_stats(manpages ? man : html, made, e) : 0;
}

static int
read_packages(struct corpus *c, char **path, int n, struct err *e)
{
	if (manpages)
		return read_manpages(c, path, n, e);
	for (int side = 0; side < 2; side++)
		if ((descriptions ? help_pages_descriptions : help_pages_read)
		    (&c->help, side, path[side], e))
			return -1;
	return 0;
}

static int
corpus_align_open_output(struct pairs_out *o, struct err *e)
{
	const unsigned flags = (force ? STREAM_FORCE : 0u) | (cli_no_pg ? STREAM_NO_PG : 0u);

	return form == TO_STREAM ? pairs_out_stream(o, part, languages.v, flags, e)
			 : pairs_out_files(o, prefix, languages.v, e);
}

static int
corpus_align_align(struct corpus *c, struct pairs_out *o, char **path, int n, struct err *e)
{
	int64_t made = 0;

	if ((stats_path && output_check(stats_path, e)) || read_packages(c, path, n, e) ||
	    corpus_align_open_output(o, e) ||
	    pairs_deal(&c->pairs, pairs_out_put, o, e))
		return -1;
	if (!c->pairs.joined) {
		if (n == 2)
			err_set(e, EXIT_INPUT, "%s and %s have no text in common", path[0],
				path[1]);
		else
			err_set(e, EXIT_INPUT, "the packages have no text in common");
		err_hint(e, "use packages with the same pages, of the same version");
		return -1;
	}
	for (int part_of = 0; part_of < PAIRS_PARTS; part_of++)
		made += c->pairs.out[part_of];
	if (!made) {
		err_set(e, EXIT_INPUT, "no sentence pairs: of %lld texts in common, %lld are equal "
			"and %lld empty on a side", (long long)c->pairs.joined,
			(long long)c->pairs.untranslated, (long long)c->pairs.empty);
		err_hint(e, "use the packages of two languages");
		return -1;
	}
	return pairs_out_finish(o, e);
}

static void
corpus_align_check_options(int n)
{
	if (languages.n != 2)
		die_usage("%zu languages, expected -l twice: source and target language",
			  languages.n);
	if ((form == TO_STREAM) == !!prefix)
		die_usage("expected one of -o PREFIX and --to stream");
	if (manpages && descriptions)
		die_usage("expected only one of --manpages and --descriptions");
	if (area && (manpages || descriptions))
		die_usage("--area is for help pages, expected no --manpages or --descriptions");
	if (manpages ? !n : n != 2)
		die_usage("%d packages, expected %s", n, manpages ? "at least one" :
			  "two: source and target");
	if (!strcmp(languages.v[0], languages.v[1]))
		die_usage("both languages are %s, expected two languages", languages.v[0]);
	if (stats_path && prefix && pairs_out_writes(prefix, languages.v, stats_path))
		die_usage("--stats %s is also a file of -o, expected another file", stats_path);
}

int
main(int argc, char **argv)
{
	struct corpus c;
	struct pairs_out out = { .writer = NULL };
	struct err e;
	char **path;
	int n = cli_begin(&program, argc, argv, &path);

	corpus_align_check_options(n);
	pairs_init(&c.pairs, languages.v[0], languages.v[1]);
	c.pairs.share[PAIRS_DEV] = dev_share / 100;
	c.pairs.share[PAIRS_TEST] = test_share / 100;
	c.pairs.seed = (uint64_t)seed;
	man_pages_init(&c.man, &c.pairs, (size_t)max_page << 20);
	help_pages_init(&c.help, &c.pairs, area ? area : "DisplayArea",
			(size_t)max_page << 20);
	if (corpus_align_align(&c, &out, path, n, &e) || corpus_align_report(&c, &e)) {
		pairs_out_abandon(&out);
		die(&e);
	}
	man_pages_release(&c.man);
	help_pages_release(&c.help);
	pairs_release(&c.pairs);
	return cli_end(EXIT_OK);
}
