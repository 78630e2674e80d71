/*
 * man-blocks: extracts the paragraphs of a manual page, its blocks, as plain text.  The page is the
 * source of man(7) or mdoc(7).
 *
 * A translated page has the macros of its original.  Two pages can therefore be aligned by the
 * kinds of their blocks; see man-pages.h.
 */
#ifndef MAN_BLOCKS_H
#define MAN_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

enum man_kind {				/* of blocks */
	/* Titles of sections and subsections; paragraphs. */
	MAN_SECTION = 'S', MAN_SUBSECTION = 's', MAN_PARAGRAPH = 'p',
	MAN_TAG = 't',			/* the tag of a list item */
	MAN_LITERAL = 'l'		/* source code, tables and other text that is not filled */
};

struct man_block {
	enum man_kind kind;
	/*
	 * The block is not running text: it is literal or a tag, it has no letters, at least half
	 * of its letters are bold or italic, or parts of its text are unknown.
	 */
	bool code;
	size_t at, n;			/* offset and length in `text` of struct man_page */
};

struct man_page {
	struct buf text;		/* the texts of the blocks (text/running-text.h), each with
					 * a NUL byte after it */
	struct man_block *block;	/* [n] the blocks that are not empty */
	size_t n, room;
};

void man_page_release(struct man_page *p);

/*
 * Replaces the contents of p by the page whose source is the n bytes at s.  Skips macro
 * definitions, and evaluates conditions as for a terminal.  Returns 0, or -1 with EXIT_INPUT if the
 * source is not UTF-8 or has a NUL byte.
 */
int man_page_read(struct man_page *p, const char *s, size_t n, struct err *e) MUST_USE;

#endif
