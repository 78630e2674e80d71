/*
 * man-pages: reads the manual pages of two languages in Debian packages and pairs their blocks.
 *
 * English pages are the members share/man/manN/NAME of a package, others are
 * share/man/LANG/manN/NAME.  They may be compressed.  Pages with the same manN/NAME are
 * translations of each other; of duplicate names, the first one counts.
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
	const char *lang[2];
	struct pairs *pairs;		/* the group of a text is its page */
	size_t max_page;		/* maximum size of a page in bytes */
	struct strmap names;		/* the names of the source pages */
	struct man_pages_source { size_t at, n; bool used; } *source;
	size_t room;
	struct buf pool;

	/* Statistics; they do not count pages that only link to another page. */
	int64_t pages[2], blocks[2];
	int64_t not_utf8;		/* pages of either side */
	int64_t alone;			/* target pages without an original */
	int64_t same, partly, apart;	/* target pages that have all blocks, some or none in common
					 * with their originals */
	int64_t unpaired;		/* blocks of running text without a translation */
	int64_t code;			/* pairs where a side is not running text */
	int64_t uneven;			/* pairs where a side is over three times as long */
};

void man_pages_init(struct man_pages *m, struct pairs *p, size_t max_page);
void man_pages_release(struct man_pages *m);

/*
 * Reads the pages of `side` 0 or 1 in an archive and adds the paired blocks to pairs.  All archives
 * of `side` 0 must be read before the first of `side` 1.
 */
int man_pages_read(struct man_pages *m, int side, const char *path, struct err *e) MUST_USE;

/*
 * Aligns the blocks of a manual page with those of its translation.
 *
 * Nearly all translated pages are made by po4a, which keeps the macros.  A translation therefore
 * has the blocks of its original, and perhaps an additional section about the translation at its
 * end.  If so, the k-th block is the translation of the k-th block.
 *
 * Otherwise the pages are of different versions.  Then blocks with the same untranslated words
 * (options, numbers, names with a digit or an underscore) are anchors, paired by a longest common
 * subsequence.  The blocks between two anchors are paired if both sides have the same kinds.
 */

/*
 * Sets `partner[i]` to the block in b that corresponds to block i of a, or to SIZE_MAX.  Returns
 * whether the pages have the same blocks.  If they do not and are too long for the comparison, no
 * blocks are paired.
 */
bool man_align(const struct man_page *a, const struct man_page *b, size_t *partner);

#endif
