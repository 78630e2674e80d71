/* packages: see packages.h. */
#include "corpora/packages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/output.h"

void
packages_init(struct packages *c, const struct packages_options *o, const char *const *lang,
	      int sides)
{
	*c = (struct packages){ .options = o };
	pairs_init(&c->pairs, lang, sides);
	man_pages_init(&c->man, &c->pairs, o->max_page);
	help_pages_init(&c->help, &c->pairs, o->area, o->max_page);
	catalogs_init(&c->catalogs, &c->pairs, o->mark, o->max_page);
}

void
packages_release(struct packages *c)
{
	man_pages_release(&c->man);
	help_pages_release(&c->help);
	catalogs_release(&c->catalogs);
	pairs_release(&c->pairs);
}

/* --- reading --- */

static int
read_manpages(struct packages *c, char *const *path, int n, struct err *e)
{
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < n; i++)
			if (man_pages_read(&c->man, side, path[i], e))
				return -1;
		if (c->man.pages[side])
			continue;
		err_set(e, EXIT_INPUT, "no manual page in %s in the %s", c->pairs.lang[side],
			n == 1 ? "package" : "packages");
		err_hint(e, "English pages are share/man/manN/*, those in pt-br "
			 "share/man/pt_BR/manN/*; corpus-fetch downloads packages");
		return -1;
	}
	return 0;
}

static int
read_catalogs(struct packages *c, struct err *e)
{
	const struct opt_list *packages = c->options->catalogs;

	for (size_t i = 0; i < packages->n; i++)
		if (catalogs_read(&c->catalogs, packages->v[i], e))
			return -1;
	for (int side = 1; packages->n && side < c->pairs.sides; side++) {
		if (c->catalogs.taken[side])
			continue;
		err_set(e, EXIT_INPUT, "no message in %s in the catalogs of the %s",
			c->pairs.lang[side], packages->n == 1 ? "package" : "packages");
		err_hint(e, "catalogs are LANG/LC_MESSAGES/*.mo or */LANG.po; the folder of pt-br "
			 "is pt_BR");
		return -1;
	}
	return 0;
}

int
packages_read(struct packages *c, char *const *path, int n, struct err *e)
{
	const bool descriptions = c->options->kind == PACKAGES_DESCRIPTIONS;

	if (c->options->kind == PACKAGES_MANPAGES)
		return read_manpages(c, path, n, e);
	for (int side = 0; side < n; side++)
		if ((descriptions ? help_pages_descriptions : help_pages_read)
		    (&c->help, side, path[side], e))
			return -1;
	return read_catalogs(c, e);
}

int
packages_check(const struct packages *c, char *const *path, int n, struct err *e)
{
	const struct pairs *p = &c->pairs;
	int64_t made = 0;

	if (!p->joined) {
		if (n == 2)
			err_set(e, EXIT_INPUT, "%s and %s have no text in common", path[0],
				path[1]);
		else
			err_set(e, EXIT_INPUT, "the packages have no text in common");
		err_hint(e, "use packages with the same pages, of the same version");
		return -1;
	}
	for (int part = 0; part < PAIRS_PARTS; part++)
		made += p->out[part];
	if (made)
		return 0;
	err_set(e, EXIT_INPUT, "no sentence pairs: of %" PRId64 " texts in common, %" PRId64
		" are equal and %" PRId64 " empty on a side", p->joined, p->untranslated,
		p->empty);
	err_hint(e, "use the packages of two languages");
	return -1;
}

/* --- counts --- */

static void
packages_add_languages(const struct packages *c, struct buf *out)
{
	for (int side = 0; side < c->pairs.sides; side++)
		buf_printf(out, "%s%s", side ? "-" : "", c->pairs.lang[side]);
}

void
packages_summary(const struct packages *c)
{
	const struct pairs *p = &c->pairs;
	const struct man_pages *m = &c->man;
	const struct catalogs *k = &c->catalogs;
	const bool man = c->options->kind == PACKAGES_MANPAGES;
	const int64_t pages = man ? m->same + m->partly + m->apart : c->help.pages[0];
	struct buf name = { 0 };

	packages_add_languages(c, &name);
	fprintf(stderr, "%s: %" PRId64 " blocks on %" PRId64 " pages, %" PRId64 " empty, "
		"%" PRId64 " untranslated, %" PRId64 " duplicates; %" PRId64 " pairs: %" PRId64
		" train, %" PRId64 " dev, %" PRId64 " test (%" PRId64 " removed from train and dev "
		"because they are in dev or test)\n", name.data, p->joined, pages, p->empty,
		p->untranslated, p->repeated,
		p->out[PAIRS_TRAIN] + p->out[PAIRS_DEV] + p->out[PAIRS_TEST], p->out[PAIRS_TRAIN],
		p->out[PAIRS_DEV], p->out[PAIRS_TEST], p->leaked);
	if (man)
		fprintf(stderr, "%s: pages: %" PRId64 " without original, %" PRId64 " partly "
			"aligned, %" PRId64 " not aligned, %" PRId64 " not UTF-8; paragraphs: "
			"%" PRId64 " without translation, %" PRId64 " of too different length\n",
			name.data, m->alone, m->partly, m->apart, m->not_utf8, m->unpaired,
			m->uneven);
	if (k->files)
		fprintf(stderr, "%s: %" PRId64 " catalogs with %" PRId64 " translations; left out: "
			"%" PRId64 " with plural forms, %" PRId64 " fuzzy, %" PRId64 " "
			"with markup, variables or line breaks, %" PRId64 " duplicates\n",
			name.data, k->files, k->messages, k->plural, k->fuzzy, k->markup,
			k->duplicate);
	buf_release(&name);
}

struct row { const char *name; int64_t n; };

static void
packages_add_rows(struct buf *out, const struct row *row)
{
	for (; row->name; row++)
		buf_printf(out, "%s\t%" PRId64 "\n", row->name, row->n);
}

/* Pages and blocks of each side: those of two languages are called source and target. */
static void
packages_add_sides(const struct packages *c, struct buf *out, const char *count, const int64_t *n)
{
	static const char *const names[] = { "source", "target" };

	for (int side = 0; side < c->pairs.sides; side++)
		buf_printf(out, "%s.%s\t%" PRId64 "\n", count,
			   c->pairs.sides == 2 ? names[side] : c->pairs.lang[side], n[side]);
}

static void
add_man_rows(const struct packages *c, struct buf *out)
{
	const struct man_pages *m = &c->man;
	const struct row pages[] = {
		{ "pages.alone", m->alone }, { "pages.same", m->same },
		{ "pages.partly", m->partly }, { "pages.apart", m->apart },
		{ "pages.not-utf8", m->not_utf8 }, { NULL, 0 }
	};
	const struct row rest[] = {
		{ "code", m->code }, { "unpaired", m->unpaired }, { "uneven", m->uneven },
		{ NULL, 0 }
	};

	packages_add_sides(c, out, "pages", m->pages);
	packages_add_rows(out, pages);
	packages_add_sides(c, out, "blocks", m->blocks);
	packages_add_rows(out, rest);
}

static void
add_catalog_rows(const struct packages *c, struct buf *out)
{
	const struct catalogs *k = &c->catalogs;
	const struct row rows[] = {
		{ "catalogs", k->files }, { "translations", k->messages }, { "plural", k->plural },
		{ "fuzzy", k->fuzzy }, { "markup", k->markup },
		{ "duplicate", k->duplicate }, { NULL, 0 }
	};

	packages_add_rows(out, rows);
	for (int side = 1; side < c->pairs.sides; side++)
		buf_printf(out, "messages.%s\t%" PRId64 "\n", c->pairs.lang[side], k->taken[side]);
}

int
packages_stats(const struct packages *c, const char *path, struct err *e)
{
	const struct pairs *p = &c->pairs;
	const struct row made[] = {
		{ "joined", p->joined }, { "empty", p->empty }, { "few", p->few },
		{ "untranslated", p->untranslated }, { "cut", p->cut },
		{ "repeated", p->repeated }, { "leaked", p->leaked },
		{ "train", p->out[PAIRS_TRAIN] }, { "dev", p->out[PAIRS_DEV] },
		{ "test", p->out[PAIRS_TEST] }, { NULL, 0 }
	};
	struct buf out = { 0 };

	if (c->options->kind == PACKAGES_MANPAGES) {
		add_man_rows(c, &out);
	} else {
		packages_add_sides(c, &out, "pages", c->help.pages);
		packages_add_sides(c, &out, "blocks", c->help.blocks);
		buf_printf(&out, "code\t%" PRId64 "\n", c->help.code);
	}
	if (c->catalogs.files)
		add_catalog_rows(c, &out);
	packages_add_rows(&out, made);
	return output_text(path, &out, e);
}
