/*
 * walk: an HTML page to browse the attention weights of all layers and heads.
 *
 * The page is self-contained: it includes its data, style and script, and its
 * Content-Security-Policy allows nothing else.  It also opens JSON files that the reader of the
 * page chooses.  In a frame it posts its height in pixels to the enclosing page, and again for each
 * message that it receives.
 */
#ifndef WALK_H
#define WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Appends a page that shows a document of walk-data.h; without a document (NULL), it shows none
 * until the reader opens a file.
 */
void walk_page(struct buf *out, const char *title, const struct buf *json);
/*
 * Additional parts of a page: `policy` is the element with its Content-Security-Policy, the others
 * are HTML.
 */
struct walk_more {
	const char *policy;
	const char *style;		/* at the end of the head */
	const char *input;		/* before the controls */
	const char *script;		/* at the end of the page */
};
void walk_page_more(struct buf *out, const char *title, const struct buf *json,
		    const struct walk_more *more);
/* Appends JSON without "<", so that it cannot end the element that contains it. */
void walk_escape(struct buf *out, const struct buf *json);
/*
 * Whether page, NUL-terminated, was written by walk_page() of this version: everything but title
 * and data must be equal, and neither of these contains a tag.
 */
bool walk_is(const char *page, size_t n);

#endif
