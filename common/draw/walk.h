/*
 * walk: a page of HTML in which one walks through layers and heads, by mouse, touch and keyboard.
 *
 * It stands alone: data, style and a script are in it, and its policy allows nothing else.  In a
 * frame it posts its height in pixels to the page around it, and again when it is sent a message.
 */
#ifndef WALK_H
#define WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "draw/look.h"

/* Its style and its script, for the policy of a page that frames it. */
extern const char walk_style[], walk_script[];

struct walk {
	struct buf sentences;		/* as JSON */
	int n;
};

/* The sentence that l looks at, in all sites that have run; l->words does not matter. */
int walk_add(struct walk *w, struct look *l, const char *id, struct err *e) MUST_USE;
/* The whole page; releases w. */
void walk_finish(struct walk *w, const struct look *l, const char *title, struct buf *out);
/*
 * Whether page, NUL-terminated, is one that walk_finish() of this version wrote: only its title and
 * its data can be anybody's, and neither contains a tag.
 */
bool walk_is(const char *page, size_t n);

#endif
