/*
 * catalogs: reads the messages of programs and games from packages, and pairs originals with their
 * translations.
 *
 * A catalog is a member LANG/LC_MESSAGES/NAME.mo of an archive, below any folder, or a member
 * NAME/LANG.po, as in source packages.  A file that is no archive may be a .mo or .po file with
 * such a path.  NAME is the text domain: often a program, and in games a campaign.  It is the group
 * of its messages (pairs.h), so that all texts of a campaign are in the same part of the data.
 */
#ifndef CATALOGS_H
#define CATALOGS_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "corpora/pairs.h"

struct catalogs {
	struct pairs *pairs;		/* side 0 has the originals */
	const char *mark;		/* ends a context at the start of an original; or NULL */
	size_t max_size;		/* maximum size of a catalog in bytes */

	/* Statistics; the rest is private. */
	int64_t files;
	int64_t messages;		/* translations in the languages of the targets */
	int64_t plural, fuzzy, markup;	/* those of `messages` that were left out; see
					 * catalogs_read() */
	int64_t *taken;			/* [sides]: messages that were added */
	int side;
	struct buf name, key;
};

void catalogs_init(struct catalogs *c, struct pairs *p, const char *mark, size_t max_size);
void catalogs_release(struct catalogs *c);

/*
 * Reads the catalogs of all targets in a package.  The folder of pt-br is pt_BR, and that of zh is
 * zh_CN.  It leaves out messages with plural forms, fuzzy translations, and texts that are not
 * sentences for readers: those with a line break, '<' or '$' on a side, which are markup, variables
 * or several paragraphs.  A damaged catalog is an error whose message names it.
 */
int catalogs_read(struct catalogs *c, const char *path, struct err *e) MUST_USE;

#endif
