/*
 * walk: an HTML page in which the user browses the attention weights of all layers and heads.
 *
 * The page is self-contained: it includes its data, style and script, and its
 * Content-Security-Policy (content-policy.h) forbids all others.  It can also open JSON files that
 * the user chooses.  In a frame, the page posts its height in pixels to the enclosing page, once at
 * first and again for each message that it receives.
 */
#ifndef WALK_H
#define WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Appends a page that shows the JSON document `json` of walk-data.h.  If `json` is NULL, the page
 * is empty until the user opens a file.
 */
void walk_page(struct buf *out, const char *title, const struct buf *json);
/*
 * Additional parts of a page, each as HTML: `policy` is the <meta> element of the
 * Content-Security-Policy; the comments tell where the other parts are inserted.  walk_page_more()
 * appends a page with these parts.
 */
struct walk_more {
	const char *policy;
	const char *style;		/* at the end of the head */
	const char *input;		/* before the controls */
	const char *script;		/* at the end of the page */
};
void walk_page_more(struct buf *out, const char *title, const struct buf *json,
		    const struct walk_more *more);
/*
 * Appends JSON with each "<" escaped, so that the JSON cannot end the HTML element that contains
 * it.
 */
void walk_escape(struct buf *out, const struct buf *json);
/*
 * Whether `page`, a text of `n` bytes that ends with a NUL, was written by walk_page() of this
 * version.  Everything but the title and the data must be equal, and these must not contain a tag.
 */
bool walk_is(const char *page, size_t n);

#endif
