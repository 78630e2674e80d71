/* packages: reads the packages of a corpus, and counts their texts. */
#ifndef PACKAGES_H
#define PACKAGES_H

#include "base/cli.h"
#include "base/err.h"
#include "corpora/catalogs.h"
#include "corpora/help-pages.h"
#include "corpora/man-pages.h"
#include "corpora/pairs.h"

enum packages_kind { PACKAGES_HELP, PACKAGES_MANPAGES, PACKAGES_DESCRIPTIONS };

struct packages_options {
	enum packages_kind kind;		/* the kind of the packages of packages_read() */
	const char *area, *mark;	/* members of struct help_pages and struct catalogs */
	const struct opt_list *catalogs;	/* further packages, with message catalogs */
	size_t max_page;
};

struct packages {
	const struct packages_options *options;
	struct pairs pairs;
	struct man_pages man;
	struct help_pages help;
	struct catalogs catalogs;
};

/*
 * `lang` [sides] are the languages, the source first.  The caller keeps them and the options until
 * packages_release().
 */
void packages_init(struct packages *c, const struct packages_options *o, const char *const *lang,
		   int sides);
void packages_release(struct packages *c);

/* Reads n packages: one for each language, or any number of manual pages. */
int packages_read(struct packages *c, char *const *path, int n, struct err *e) MUST_USE;

/*
 * Returns -1 with the reason if the packages have no texts in common, or if none of these are
 * sentences.
 */
int packages_check(const struct packages *c, char *const *path, int n, struct err *e) MUST_USE;

void packages_summary(const struct packages *c);	/* on standard error */
/* Writes the counts of texts and pairs to `path` as tab-separated lines. */
int packages_stats(const struct packages *c, const char *path, struct err *e) MUST_USE;

#endif
