/*
 * walk: a page of HTML in which one walks through layers and heads, by mouse, touch and keyboard.
 *
 * It stands alone: data, style and a script of ours are in it, and it asks no network for anything.
 */
#ifndef WALK_H
#define WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "draw/look.h"

struct walk {
	struct buf sentences;		/* as JSON */
	int n;
};

/* The sentence that l looks at, in all sites that have run; l->words does not matter. */
int walk_add(struct walk *w, struct look *l, const char *id, struct err *e) MUST_USE;
/* The whole page; releases w. */
void walk_finish(struct walk *w, const struct look *l, const char *title, struct buf *out);
/* Is page such a page, and whole? */
bool walk_is(const char *page, size_t n);

#endif
