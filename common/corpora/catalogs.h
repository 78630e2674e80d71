/*
 * catalogs: reads the message catalogs of programs and games from packages, and pairs messages with
 * their translations.
 *
 * A catalog is a member of an archive with a path that ends in LANG/LC_MESSAGES/NAME.mo or
 * LANG/LC_MESSAGES/NAME.po, or in NAME/LANG.po, as in source packages.  A file with such a path,
 * outside of an archive, is a catalog, too.  NAME is the text domain: often a program, and in games
 * a campaign.  NAME is the group of the messages (pairs.h), so that all texts of a campaign are in
 * the same part of the data.
 */
#ifndef CATALOGS_H
#define CATALOGS_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "corpora/pairs.h"

struct catalogs {
	struct pairs *pairs;		/* gets the texts; side 0 is the originals */
	const char *mark;		/* originals may begin with a context, which ends with this
					 * mark and is left out: "^" for "female^"; or NULL */
	size_t max_size;		/* maximum size of a catalog in bytes */

	/* Statistics; the rest is private. */
	int64_t files;			/* catalogs */
	int64_t messages;		/* translated messages in these catalogs */
	int64_t plural, fuzzy, markup, duplicate;	/* messages that were left out; see
							 * catalogs_read() */
	int64_t *taken;			/* [sides] messages that were added to each target */
	int side;
	struct buf name, key;
};

/* p and `mark` are not copied, and must outlive c. */
void catalogs_init(struct catalogs *c, struct pairs *p, const char *mark, size_t max_size);
void catalogs_release(struct catalogs *c);

/*
 * Reads the catalogs in the languages of all targets from the package, or the catalog, at `path`,
 * and adds their messages to the pairs.  LANG of the language pt-br is pt_BR, and that of zh is
 * zh_CN.  Four kinds of messages are left out: those with plural forms (c->plural); fuzzy
 * translations (c->fuzzy); messages with a line break, '<' or '$' in the original or the
 * translation, which are several paragraphs, markup or variables (c->markup); and messages that
 * already have a translation (c->duplicate).  Returns -1 with an error if the file cannot be read,
 * or if a catalog is damaged; the message names the catalog.
 */
int catalogs_read(struct catalogs *c, const char *path, struct err *e) MUST_USE;

#endif
