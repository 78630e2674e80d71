/*
 * walk: an HTML page to browse the attention weights of all layers and heads.
 *
 * The page is self-contained: it includes its data, style and script, and its policy allows nothing
 * else.  In a frame it posts its height in pixels to the enclosing page, and again on each message.
 */
#ifndef WALK_H
#define WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "draw/look.h"

/* The style and the script, for the policy of an enclosing page. */
extern const char walk_style[], walk_script[];

struct walk {
	struct buf sentences;		/* as JSON */
	int n;
};

/* Adds the sentence of l, with all sites that have run.  l->words is ignored. */
int walk_add(struct walk *w, struct look *l, const char *id, struct err *e) MUST_USE;
/* Appends the page and releases w. */
void walk_finish(struct walk *w, const struct look *l, const char *title, struct buf *out);
/*
 * Whether page, NUL-terminated, was written by walk_finish() of this version: everything but title
 * and data must be equal, and neither of these contains a tag.
 */
bool walk_is(const char *page, size_t n);

#endif
