/*
 * roff-text: the text of troff source lines: escapes resolved, fonts noted.
 *
 * Knows what manual pages use, by groff(7) and groff_char(7): fonts, special
 * characters, spaces, and the lengths of all other escapes, which leave nothing.
 * Whatever has a text that is not known here, such as a string that the page
 * defines itself, sets odd.
 */
#ifndef ROFF_TEXT_H
#define ROFF_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct roff_text {
	struct buf text;		/* running text, see running-text.h */
	size_t letters, marked;		/* letters so far, and those in a font other than roman */
	bool odd;			/* something has a text that is not known */
	bool joined;			/* the next line follows without a blank (\c) */
	char font, previous;		/* R, or anything else for marked */
};

void roff_text_init(struct roff_text *t);
void roff_text_release(struct roff_text *t);
void roff_text_clear(struct roff_text *t);		/* empty, in roman */

void roff_text_add(struct roff_text *t, const char *s, size_t n);
void roff_text_font(struct roff_text *t, char font);	/* P: the font before this one */

/* Bytes of the escape at s, which begins with a backslash; at most n. */
size_t roff_escape_length(const char *s, size_t n);

/*
 * The next argument of a macro's line, from *at on: false at the end.  Double quotes hold
 * blanks together and are not part of it.
 */
bool roff_argument(const char *s, size_t n, size_t *at, const char **arg, size_t *arg_n);

/* Bytes of a line before its comment. */
size_t roff_before_comment(const char *s, size_t n);

#endif
