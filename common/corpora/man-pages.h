/*
 * man-pages: reads manual pages in two languages from Debian packages, and pairs their blocks
 * (man-blocks.h).
 *
 * English pages are the members of a package with a path that ends in share/man/manN/NAME; for
 * other languages, it ends in share/man/LANG/manN/NAME.  Pages may be compressed.  Two pages with
 * the same manN/NAME are translations of each other; if a language has several pages with the same
 * manN/NAME, the first one counts.
 */
#ifndef MAN_PAGES_H
#define MAN_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strmap.h"
#include "corpora/man-blocks.h"
#include "corpora/pairs.h"

struct man_pages {
	struct pairs *pairs;		/* gets the blocks; the group of a block is its page, and
					 * sides 0 and 1 are source and target */
	size_t max_page;		/* maximum size of a page in bytes */
	struct strmap names;		/* the names manN/NAME of the source pages */
	/* [names.n] The source pages, in pool; used: its translation was found. */
	struct man_pages_source { size_t at, n; bool used; } *source;
	size_t room;
	struct buf pool;

	/* Statistics.  Pages that only link to another page are not counted. */
	int64_t pages[2], blocks[2];	/* of source and target */
	int64_t not_utf8;		/* pages of either side that are not UTF-8 */
	int64_t alone;			/* target pages without an original */
	int64_t same, partly, apart;	/* target pages of which all blocks, some blocks or no
					 * blocks were paired with blocks of their originals */
	int64_t unpaired;		/* blocks of running text without a translation */
	int64_t code;			/* pairs where a side is not running text */
	int64_t uneven;			/* pairs where a side is over three times as long as the
					 * other, with 20 characters added to both; left out */
};

/* The languages are those of the first two sides of p, which must outlive m. */
void man_pages_init(struct man_pages *m, struct pairs *p, size_t max_page);
void man_pages_release(struct man_pages *m);

/*
 * Reads the pages of a side, 0 for the source or 1 for the target, from the archive at `path`.  For
 * side 1, adds the blocks that are paired with those of side 0 to m->pairs.  All archives must be
 * read for side 0 before the first one is read for side 1.  Returns -1 with an error if the archive
 * cannot be read, a page has more than m->max_page bytes, or the texts exceed the limit of
 * m->pairs.
 */
int man_pages_read(struct man_pages *m, int side, const char *path, struct err *e) MUST_USE;

/*
 * The blocks of a manual page and of its translation are aligned as follows.
 *
 * Nearly all translated pages are made by po4a, which keeps the macros of the original.  A
 * translation therefore has blocks of the same kinds as its original, and perhaps an additional
 * section about the translation at its end.  In this case, block k of the translation is paired
 * with block k of the original.
 *
 * Otherwise, the pages are of different versions.  Then blocks with untranslated words (options,
 * numbers, names with a digit or an underscore) are anchors.  Anchors with the same untranslated
 * words are paired by a longest common subsequence of the anchors of both pages.  The blocks
 * between two pairs of anchors are paired if both pages have the same kinds of blocks there.
 */

/*
 * Sets `partner[i]` to the block of page `b`, from 0, with which block i of page `a` is paired, or
 * to SIZE_MAX.  `partner` has a->n elements.  Returns whether both pages have the same kinds of
 * blocks.  If they do not, and have too many anchors for a comparison, no blocks are paired.
 */
bool man_align(const struct man_page *a, const struct man_page *b, size_t *partner);

#endif
