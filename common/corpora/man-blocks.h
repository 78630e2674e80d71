/*
 * man-blocks: extracts the paragraphs of a manual page, man(7) or mdoc(7), as plain text.
 *
 * A translated page has the macros of its original, so that two pages can be aligned by the kinds
 * of their blocks; see man-pages.h.
 */
#ifndef MAN_BLOCKS_H
#define MAN_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

enum man_kind {
	MAN_SECTION = 'S', MAN_SUBSECTION = 's', MAN_PARAGRAPH = 'p',
	MAN_TAG = 't',			/* the tag of a list item */
	MAN_LITERAL = 'l'		/* source code, tables and other text that is not filled */
};

struct man_block {
	enum man_kind kind;
	/* Not running text: literal, a tag, at least half bold or italic, or with unknown parts. */
	bool code;
	size_t at, n;			/* offset and length in text */
};

struct man_page {
	struct buf text;		/* running text (running-text.h); a NUL after each block */
	struct man_block *block;	/* without empty blocks */
	size_t n, room;
};

void man_page_init(struct man_page *p);
void man_page_release(struct man_page *p);

/*
 * Overwrites p by the page with this source.  Skips macro definitions, and evaluates conditions
 * as for a terminal.  Returns 0, or -1 and EXIT_INPUT if the source is not UTF-8 or has a NUL
 * byte.
 */
int man_page_read(struct man_page *p, const char *s, size_t n, struct err *e) MUST_USE;

#endif
