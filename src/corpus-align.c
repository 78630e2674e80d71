/*
 * corpus-align: extract sentence pairs from packages that contain the same pages in two languages.
 *
 * Reads the pages from Debian packages or other archives.  Pairs their paragraphs and headings by
 * id, or those of manual pages by their macros.  Splits the pairs into training, development and
 * test data by page.  See corpus-align(1).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/mem.h"
#include "base/output.h"
#include "corpora/descriptions.h"
#include "corpora/html-blocks.h"
#include "corpora/man-pages.h"
#include "corpora/pairs.h"
#include "stream/archive.h"
#include "stream/input.h"
#include "stream/stream.h"

static const char *const part_names[] = { "test", "dev", "train", "all", NULL };
enum { PART_ALL = PAIRS_PARTS };

static struct opt_list languages;
static const char *prefix, *stats_path, *area = "DisplayArea";
static bool to_stream, descriptions, manpages, quiet, force;
static int part = PART_ALL;
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
	  .help = "read only the text inside this HTML element (DisplayArea)", .to = &area },
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
	OPT_SEED(&seed),
	OPT_GROUP("Output"),
	{ .kind = OPT_STRING, .short_name = 'o', .long_name = "output", .arg = "prefix",
	  .help = "write prefix.train.lang, prefix.dev.lang, prefix.test.lang", .to = &prefix },
	{ .kind = OPT_FLAG, .long_name = "stream",
	  .help = "write a stream of sentences to standard output", .to = &to_stream },
	{ .kind = OPT_CHOICE, .short_name = 'p', .long_name = "part", .arg = "part",
	  .help = "write this part to the stream (all)", .to = &part, .choice = part_names },
	{ .kind = OPT_STRING, .long_name = "stats", .arg = "file",
	  .help = "write counts to file, as tab-separated values", .to = &stats_path },
	OPT_GROUP("Other"),
	OPT_QUIET(&quiet),
	OPT_FORCE(&force),
	OPT_NO_PG,
	{ .kind = OPT_END }
};

static const struct program program = {
	.name = "corpus-align",
	.synopsis = "-l lang -l lang {-o prefix | --stream} [options] package ...",
	.summary = "extract sentence pairs from help pages, manual pages and package descriptions",
	.example = "corpus-align -l en -l de -o help \\\n"
		   "      libreoffice-help-en-us.deb libreoffice-help-de.deb",
	.options = options, .writes = "sentence",
};

static const struct field adds[] = { { "id", "int", 0 }, { "src", "str", 0 }, { "tgt", "str", 0 },
				     { "x.place", "str", 0 }, { 0 } };

struct corpus {
	struct pairs pairs;
	struct man_pages man;
	int side;
	const char *page;		/* the page being read */
	int64_t pages[2], blocks[2], code;
	struct buf key;
};

/* The path below the folder "text", which is the same in all languages; NULL if it is no page. */
static const char *
page_path(const char *name)
{
	const char *at = strncmp(name, "text/", 5) ? strstr(name, "/text/") : name - 1;
	size_t n = strlen(name);

	if (!at || n < 5 || strcmp(name + n - 5, ".html"))
		return NULL;
	return at + 6;
}

static int
take_block(void *arg, const struct html_block *b, struct err *e)
{
	struct corpus *c = arg;

	c->blocks[c->side]++;
	if (b->code) {
		c->code += c->side == 0;
		return 0;
	}
	buf_clear(&c->key);
	buf_printf(&c->key, "%s#%s#%d", c->page, b->id, b->occurrence);
	return pairs_add(&c->pairs, c->side, c->key.data, c->page, b->text, b->n, e);
}

static int
read_page(struct corpus *c, struct archive_in *a, struct err *e)
{
	size_t n;
	char *page = archive_in_all(a, (size_t)max_page << 20, &n, e);
	int r;

	if (!page)
		return -1;
	c->pages[c->side]++;
	r = html_blocks(page, n, area, take_block, c, e);
	free(page);
	return r ? err_wrap(e, "%s", c->page) : 0;
}

static int
read_package(struct corpus *c, const char *path, struct err *e)
{
	struct archive_in *a = archive_in_open(path, e);
	const char *name;
	int64_t size;
	int r;

	if (!a)
		return -1;
	while ((r = archive_in_next(a, &name, &size, e)) > 0) {
		c->page = page_path(name);
		if (c->page && (r = read_page(c, a, e))) {
			err_wrap(e, "%s", path);
			break;
		}
	}
	archive_in_close(a);
	if (!r && !c->pages[c->side]) {
		err_set(e, EXIT_INPUT, "%s contains no page text/**/*.html", path);
		err_hint(e, "corpus-fetch downloads libreoffice-help-en-us, libreoffice-help-de "
			 "and others");
		return -1;
	}
	return r;
}

static int
take_paragraph(void *arg, const char *group, const char *key, const char *s, size_t n,
	       struct err *e)
{
	struct corpus *c = arg;

	c->blocks[c->side]++;
	return pairs_add(&c->pairs, c->side, key, group, s, n, e);
}

static int
read_descriptions(struct corpus *c, const char *path, struct err *e)
{
	struct input *in = input_open(path, INPUT_UTF8, e);
	int r;

	if (!in)
		return -1;
	r = descriptions_read(in, take_paragraph, c, &c->pages[c->side], e);
	input_close(in);
	return r;
}

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

/* The destination of the pairs: six files, or a stream. */
struct sink {
	struct output *file[PAIRS_PARTS][2];
	struct writer *writer;
	struct record *rec;
	int64_t n;			/* records written */
};

static int
put_files(struct sink *k, enum pairs_part p, const char *const s[2], const size_t n[2],
	  struct err *e)
{
	int side;

	for (side = 0; side < 2; side++)
		if (output_write(k->file[p][side], s[side], n[side], e) ||
		    output_write(k->file[p][side], "\n", 1, e))
			return -1;
	return 0;
}

static int
put(void *arg, enum pairs_part p, const char *place, const char *const s[2], const size_t n[2],
    struct err *e)
{
	struct sink *k = arg;

	if (!k->writer)
		return put_files(k, p, s, n, e);
	if (part != PART_ALL && part != (int)p)
		return 0;
	record_clear(k->rec);
	record_set_int(k->rec, "id", ++k->n);
	record_set_str(k->rec, "src", s[0], n[0]);
	record_set_str(k->rec, "tgt", s[1], n[1]);
	record_set_str(k->rec, "x.place", place, strlen(place));
	return writer_put(k->writer, k->rec, e);
}

static int
open_files(struct sink *k, struct err *e)
{
	int p, side;

	for (p = 0; p < PAIRS_PARTS; p++)
		for (side = 0; side < 2; side++) {
			char *path = xasprintf("%s.%s.%s", prefix, part_names[p],
					       languages.v[side]);

			k->file[p][side] = output_open(path, 0, e);
			free(path);
			if (!k->file[p][side])
				return -1;
		}
	return 0;
}

static int
open_sink(struct sink *k, struct err *e)
{
	if (!to_stream)
		return open_files(k, e);
	k->rec = record_new();
	k->writer = writer_open(NULL, "sentence", NULL, adds, (force ? STREAM_FORCE : 0) |
				(cli_no_pg ? STREAM_NO_PG : 0), e);
	if (!k->writer)
		return -1;
	writer_set_meta(k->writer, "src.lang", languages.v[0]);
	writer_set_meta(k->writer, "tgt.lang", languages.v[1]);
	return 0;
}

static void
abandon(struct sink *k)
{
	int i;

	for (i = 0; i < PAIRS_PARTS * 2; i++) {
		output_abandon(k->file[i / 2][i % 2]);
		k->file[i / 2][i % 2] = NULL;
	}
	writer_abandon(k->writer);
}

/* All files are flushed before the first gets its name, so that a full disk leaves none of them. */
static int
finish_files(struct sink *k, struct err *e)
{
	int i;

	for (i = 0; i < PAIRS_PARTS * 2; i++)
		if (output_flush(k->file[i / 2][i % 2], e))
			return -1;
	for (i = 0; i < PAIRS_PARTS * 2; i++) {
		struct output *o = k->file[i / 2][i % 2];

		k->file[i / 2][i % 2] = NULL;
		if (output_finish(o, e))
			return -1;
	}
	return 0;
}

static int
finish(struct sink *k, struct err *e)
{
	struct writer *w = k->writer;

	if (!w)
		return finish_files(k, e);
	k->writer = NULL;
	return writer_finish(w, e);
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
	int64_t pages = manpages ? m->same + m->partly + m->apart : c->pages[0];

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
report(const struct corpus *c, struct err *e)
{
	const struct pairs *p = &c->pairs;
	const struct man_pages *m = &c->man;
	const struct row html[] = {
		{ "pages.source", c->pages[0] }, { "pages.target", c->pages[1] },
		{ "blocks.source", c->blocks[0] }, { "blocks.target", c->blocks[1] },
		{ "code", c->code }, { NULL, 0 }
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
	for (c->side = 0; c->side < 2; c->side++)
		if ((descriptions ? read_descriptions : read_package)(c, path[c->side], e))
			return -1;
	return 0;
}

static int
run(struct corpus *c, struct sink *k, char **path, int n, struct err *e)
{
	if (read_packages(c, path, n, e) || open_sink(k, e) || pairs_deal(&c->pairs, put, k, e))
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
	return finish(k, e);
}

static void
check_options(int n)
{
	if (languages.n != 2)
		die_usage("%zu languages, expected -l twice: source and target language",
			  languages.n);
	if (!to_stream == !prefix)
		die_usage("expected one of -o PREFIX and --stream");
	if (part != PART_ALL && !to_stream)
		die_usage("--part without --stream");
	if (manpages && descriptions)
		die_usage("expected only one of --manpages and --descriptions");
	if (manpages ? !n : n != 2)
		die_usage("%d packages, expected %s", n, manpages ? "at least one" :
			  "two: source and target");
	if (!strcmp(languages.v[0], languages.v[1]))
		die_usage("both languages are %s, expected two languages", languages.v[0]);
}

int
main(int argc, char **argv)
{
	struct corpus c = { .side = 0 };
	struct sink k = { .writer = NULL };
	struct err e;
	char **path;
	int n = cli_begin(&program, argc, argv, &path);

	check_options(n);
	pairs_init(&c.pairs, languages.v[0], languages.v[1]);
	c.pairs.share[PAIRS_DEV] = dev_share / 100;
	c.pairs.share[PAIRS_TEST] = test_share / 100;
	c.pairs.seed = (uint64_t)seed;
	man_pages_init(&c.man, &c.pairs, (size_t)max_page << 20);
	if (run(&c, &k, path, n, &e) || report(&c, &e)) {
		abandon(&k);
		die(&e);
	}
	record_free(k.rec);
	man_pages_release(&c.man);
	pairs_release(&c.pairs);
	buf_release(&c.key);
	return cli_end(EXIT_OK);
}
