/*
 * man-pages: the pages of two languages in Debian packages, joined block by block.
 *
 * Pages are the members share/man/manN/NAME of a package, which are English, and
 * share/man/LANG/manN/NAME; they may be compressed.  Pages of the same manN/NAME are
 * translations of each other; the first of a name counts.
 */
#ifndef MAN_PAGES_H
#define MAN_PAGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strmap.h"
#include "text/pairs.h"

struct man_pages {
	const char *lang[2];
	struct pairs *pairs;		/* the group of a text is its page */
	size_t max_page;		/* bytes of a page at most */
	struct strmap names;		/* of the source's pages */
	struct man_pages_source { size_t at, n; bool used; } *source;
	size_t room;
	struct buf pool;

	/* What became of it all; a page that is a mere link to another counts nowhere. */
	int64_t pages[2], blocks[2];
	int64_t not_utf8;		/* pages, on either side */
	int64_t alone;			/* pages of the target without an original, */
	int64_t same, partly, apart;	/* with the same blocks, with some, with none in common */
	int64_t unpaired;		/* running text of joined pages' originals without a partner */
	int64_t code;			/* blocks that are no running text on one side */
	int64_t uneven;			/* blocks of which one is three times as long as the other */
};

void man_pages_init(struct man_pages *m, struct pairs *p, size_t max_page);
void man_pages_release(struct man_pages *m);

/* Reads the pages of side 0 or 1 in an archive; first all of side 0.  Texts go to pairs. */
int man_pages_read(struct man_pages *m, int side, const char *path, struct err *e) MUST_USE;

#endif
