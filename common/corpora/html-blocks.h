/*
 * html-blocks: extracts the paragraphs and headings of an HTML page as plain text.
 *
 * It is for collections of pages in several languages with the same markup, such as LibreOffice's
 * help.  A block is an element p or h1 to h6 that has an id and is inside the element with a
 * given id ("DisplayArea").  Blocks of two pages with the same path correspond if they have the
 * same id and the same number among the blocks with this id.
 */
#ifndef HTML_BLOCKS_H
#define HTML_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct html_block {
	const char *id;
	int occurrence;			/* number of earlier blocks of this id in the page */
	bool code;			/* source code: its class or an outer one contains "code" */
	const char *text;		/* running text (running-text.h), NUL-terminated */
	size_t n;
};

/*
 * A function that is called for each block, which is valid, with all that it points to, until the
 * function returns.  If it returns -1, html_blocks() does, too.
 */
typedef int html_take(void *arg, const struct html_block *b, struct err *e);

/*
 * Calls `take` for every block, in the order of the page.  The page must be UTF-8; malformed markup
 * is repaired.  If a span of class "switch" or "switchinline" has alternatives inside a block,
 * one is kept: the one without a class, which browsers show by default, or otherwise the first.
 * A single alternative of class "MAC" is dropped.  Returns 0, or -1 and EXIT_INPUT or the error
 * of `take`.
 */
int html_blocks(const char *page, size_t n, const char *area, html_take *take, void *arg,
		struct err *e) MUST_USE;

#endif
