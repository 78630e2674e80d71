/*
 * roff-text: converts troff source lines to plain text, and keeps track of fonts.
 *
 * It knows the escapes that manual pages use, by groff(7) and groff_char(7): fonts, special
 * characters and spaces.  Other escapes are skipped.  An escape whose text is unknown, such as a
 * string that the page defines, sets odd.
 */
#ifndef ROFF_TEXT_H
#define ROFF_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct roff_text {
	struct buf text;		/* running text, see running-text.h */
	size_t letters, marked;		/* letters so far, and those not in roman */
	bool odd;			/* the text of some escape is unknown */
	bool joined;			/* the next line follows without a space (\c) */
	char font, previous;		/* R for roman, anything else for marked */
};

void roff_text_init(struct roff_text *t);
void roff_text_release(struct roff_text *t);
void roff_text_clear(struct roff_text *t);		/* makes it empty, with the roman font */

/* Appends n bytes of a line of source. */
void roff_text_add(struct roff_text *t, const char *s, size_t n);
void roff_text_font(struct roff_text *t, char font);	/* P: the previous font */

/*
 * Finds the next argument of a macro, from *at on; false at the end.  An argument in double
 * quotes may contain spaces; the quotes are not part of it.
 */
bool roff_argument(const char *s, size_t n, size_t *at, const char **arg, size_t *arg_n);

/* The length of a line before its comment. */
size_t roff_before_comment(const char *s, size_t n);

#endif
