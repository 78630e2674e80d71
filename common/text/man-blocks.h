/*
 * man-blocks: the paragraphs of a manual page, man(7) or mdoc(7), as plain text.
 *
 * A translated page has the macros of its original, so that two pages join on
 * the sequence of their blocks' kinds; see man-align.h.
 */
#ifndef MAN_BLOCKS_H
#define MAN_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

enum man_kind {
	MAN_SECTION = 'S', MAN_SUBSECTION = 's', MAN_PARAGRAPH = 'p',
	MAN_TAG = 't',			/* what an item of a list is about */
	MAN_LITERAL = 'l'		/* program text, tables and whatever else is not filled */
};

struct man_block {
	enum man_kind kind;
	bool code;			/* no running text: literal, a tag, at least half in bold or
					 * italics, or with an unknown macro or character */
	size_t at, n;			/* in text */
};

struct man_page {
	struct buf text;		/* UTF-8; runs of white space are one blank; a NUL after each block */
	struct man_block *block;	/* none of them empty */
	size_t n, room;
};

void man_page_init(struct man_page *p);
void man_page_release(struct man_page *p);

/*
 * Reads the source of a page, UTF-8, in the place of what p held.  Definitions of macros are
 * skipped, conditions decided as for a terminal.  Returns 0, or -1 with EXIT_INPUT if it is not
 * UTF-8 or has a NUL byte.
 */
int man_page_read(struct man_page *p, const char *s, size_t n, struct err *e) MUST_USE;

#endif
