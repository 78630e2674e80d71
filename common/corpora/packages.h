/* packages: reads the packages of a corpus for corpus-align(1), and counts their texts. */
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
	enum packages_kind kind;		/* what the packages of packages_read() have */
	const char *area, *mark;	/* `area` of struct help_pages, `mark` of struct catalogs */
	const struct opt_list *catalogs;	/* further packages, with message catalogs */
	size_t max_page;		/* maximum size of a page or catalog in bytes */
};

struct packages {
	const struct packages_options *options;	/* not copied */
	struct pairs pairs;		/* gets all texts */
	struct man_pages man;
	struct help_pages help;
	struct catalogs catalogs;
};

/*
 * `lang[sides]` are the languages, the source first.  `lang` and o are not copied, and must live
 * until packages_release().  The struct must not move.
 */
void packages_init(struct packages *c, const struct packages_options *o, const char *const *lang,
		   int sides);
void packages_release(struct packages *c);

/*
 * Reads the n packages `path[n]`: one for each language, the source first; or any number of
 * packages with manual pages.  Unless the packages have manual pages, also reads those of
 * c->options->catalogs.  Returns -1 with an error if a package cannot be read, or a language has no
 * help pages, no manual pages, or no messages in the catalogs.
 */
int packages_read(struct packages *c, char *const *path, int n, struct err *e) MUST_USE;

/*
 * Call it after pairs_deal().  Returns -1 with EXIT_INPUT if the languages have no texts in common,
 * or if no sentence pairs were made of their texts.  `path[n]` are the packages of packages_read(),
 * for the message.
 */
int packages_check(const struct packages *c, char *const *path, int n, struct err *e) MUST_USE;

/* Prints the counts of texts and pairs to standard error. */
void packages_summary(const struct packages *c);
/*
 * Writes the counts of pages, blocks and pairs to the file `path`, as tab-separated lines of a name
 * and a number.  Returns -1 with EXIT_SYSTEM if the file cannot be written.
 */
int packages_stats(const struct packages *c, const char *path, struct err *e) MUST_USE;

#endif
