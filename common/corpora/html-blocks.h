/*
 * html-blocks: extracts the paragraphs and headings of an HTML page as plain text.
 *
 * It is for collections of pages in several languages with the same markup, such as LibreOffice's
 * help.  A block is an element p or h1 to h6 that has an id, and that is inside another element,
 * the area, such as the one with the id "DisplayArea".  Two blocks of translated pages correspond
 * if they have the same id, and the same number of earlier blocks with this id in their pages.
 */
#ifndef HTML_BLOCKS_H
#define HTML_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct html_block {
	const char *id;
	int occurrence;			/* number of earlier blocks with this id in the page */
	bool code;			/* source code: the class of the block, or of an element
					 * around it, contains "code" */
	const char *text;		/* running text (running-text.h), NUL-terminated */
	size_t n;
};

/*
 * A function that is called for each block.  The block and all that it points to are valid until
 * the function returns.  `arg` is the caller's.  It returns 0, or -1 with an error, which
 * html_blocks() then returns, too.
 */
typedef int html_take(void *arg, const struct html_block *b, struct err *e);

/*
 * Calls `take` for every block in a page of n bytes, in order.  `area` is the id of the area.  The
 * page must be UTF-8; malformed markup is repaired.  If a span of class "switch" or "switchinline"
 * in a block has alternatives, one of them is kept: the alternative without a class, which browsers
 * show by default, or otherwise the first.  A single alternative of class "MAC" is dropped.
 * Returns 0, or -1 with EXIT_INPUT or the error of `take`.
 */
int html_blocks(const char *page, size_t n, const char *area, html_take *take, void *arg,
		struct err *e) MUST_USE;

#endif
