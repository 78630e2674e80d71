/*
 * packages: the packages of a corpus, by kind, and what is counted in them.
 */
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
	enum packages_kind kind;		/* of the packages that are operands */
	const char *area, *mark;	/* of struct help_pages and struct catalogs */
	const struct opt_list *catalogs;	/* packages with message catalogs, too */
	size_t max_page;
};

struct packages {
	const struct packages_options *options;
	struct pairs pairs;
	struct man_pages man;
	struct help_pages help;
	struct catalogs catalogs;
};

/* The languages are [sides], the source first, and stay the caller's, as do the options. */
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
