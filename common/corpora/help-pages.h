/*
 * help-pages: reads the help pages of two or more languages in packages, and package descriptions,
 * and pairs their blocks by id.
 *
 * A page is a member text/PATH.html of a package, below any folder; PATH is the same in all
 * languages.
 */
#ifndef HELP_PAGES_H
#define HELP_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "corpora/pairs.h"

struct help_pages {
	struct pairs *pairs;		/* the group of a text is its page */
	const char *area;		/* id of the HTML element whose text is read */
	size_t max_page;		/* maximum size of a page in bytes */

	/* Statistics; the rest is private. */
	int64_t pages[PAIRS_MAX_SIDES], blocks[PAIRS_MAX_SIDES];
	int64_t code;			/* blocks of the source that are not running text */
	int side;
	const char *page;		/* the page being read */
	struct buf key;
};

void help_pages_init(struct help_pages *h, struct pairs *p, const char *area, size_t max_page);
void help_pages_release(struct help_pages *h);

/* Reads the pages of a side in an archive; -1 with EXIT_INPUT if there are none. */
int help_pages_read(struct help_pages *h, int side, const char *path, struct err *e) MUST_USE;

/* Reads one of apt's indexes of package descriptions instead; a paragraph counts as a block. */
int help_pages_descriptions(struct help_pages *h, int side, const char *path,
			    struct err *e) MUST_USE;

#endif
