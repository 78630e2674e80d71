/*
 * help-pages: reads help pages in two or more languages from packages, or package descriptions, and
 * pairs their blocks.
 *
 * A page is a member of a package with a path that ends in text/PATH.html; PATH is the same in all
 * languages.  The blocks of a page and their ids are those of html-blocks.h.
 */
#ifndef HELP_PAGES_H
#define HELP_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "corpora/pairs.h"

struct help_pages {
	struct pairs *pairs;		/* gets the blocks; the group of a block is its page, or for
				 * descriptions the group of descriptions.h */
	const char *area;		/* id of the HTML element whose text is read */
	size_t max_page;		/* maximum size of a page in bytes */

	/* Statistics; the rest is private. */
	int64_t pages[PAIRS_MAX_SIDES], blocks[PAIRS_MAX_SIDES];	/* of each side */
	int64_t code;			/* blocks of the source that are source code, left out */
	int side;
	const char *page;		/* the page being read */
	struct buf key;
};

/* p and `area` are not copied, and must outlive h. */
void help_pages_init(struct help_pages *h, struct pairs *p, const char *area, size_t max_page);
void help_pages_release(struct help_pages *h);

/*
 * Reads the pages of a side from the archive at `path`, and adds their blocks to the pairs.  Side 0
 * must be read before the others.  Returns -1 with an error if the archive or a page cannot be
 * read, and with EXIT_INPUT if the archive has no pages.
 */
int help_pages_read(struct help_pages *h, int side, const char *path, struct err *e) MUST_USE;

/*
 * The same for one of apt's indexes of package descriptions (descriptions.h).  A paragraph counts
 * as a block, and a description as a page.
 */
int help_pages_descriptions(struct help_pages *h, int side, const char *path,
			    struct err *e) MUST_USE;

#endif
