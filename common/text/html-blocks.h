/*
 * html-blocks: the paragraphs and headings of an HTML page, as plain text.
 *
 * Made for collections of pages that exist in several languages with the same
 * markup, such as LibreOffice's help: a block is an element p or h1 to h6 that
 * has an id and stands inside the element with a given id ("DisplayArea").
 * Two pages of one path join on the block's id and its count in the page.
 */
#ifndef HTML_BLOCKS_H
#define HTML_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct html_block {
	const char *id;
	int occurrence;			/* 0 for the first block of this id in the page, ... */
	bool code;			/* its class, or that of something around it, says that it shows program text */
	const char *text;		/* UTF-8; runs of white space are one blank; NUL-terminated */
	size_t n;
};

/* Everything a block points to lives until the call returns; -1 ends the walk. */
typedef int html_take(void *arg, const struct html_block *b, struct err *e);

/*
 * Calls take for every block, in the order of the page.  The page must be UTF-8;
 * broken markup is repaired.  Where a span of class "switch" or
 * "switchinline" offers alternatives inside a block, one is kept: that without a
 * class, which browsers show by default, else the first, and of a lone "MAC" none.
 * Returns 0, or -1 with EXIT_INPUT or what take has set.
 */
int html_blocks(const char *page, size_t n, const char *area, html_take *take, void *arg, struct err *e)
	MUST_USE;

#endif
