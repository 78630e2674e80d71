/*
 * roff-text: converts troff source lines to plain text, and keeps track of fonts.
 *
 * The escapes of groff(7) and groff_char(7) that manual pages use are converted: fonts, special
 * characters and spaces.  Of an unknown escape of one letter, the letter remains; others are
 * skipped.  `odd` is set if the text of an escape is unknown, for example that of a string that the
 * page defines.
 */
#ifndef ROFF_TEXT_H
#define ROFF_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/texts.h"
#include "stream/stream.h"

struct roff_text {
	struct buf text;		/* running text (text/running-text.h) */
	size_t letters, marked;		/* number of letters so far; of letters not in roman */
	bool odd;			/* the text of some escape is unknown */
	bool joined;			/* the next line follows without a space (\c) */
	char font, previous;		/* the font and the one before it: R is roman, any other
					 * letter is not, such as B for bold and italic */
};

void roff_text_init(struct roff_text *t);
void roff_text_release(struct roff_text *t);
void roff_text_clear(struct roff_text *t);		/* makes t empty, with the roman font */

/* Converts a part of a source line, and appends its text to t->text. */
void roff_text_add(struct roff_text *t, struct str s);
void roff_text_font(struct roff_text *t, char font);	/* sets the font; P: the previous one */

/*
 * Sets *arg to the next argument of a macro, and *rest to the arguments after it, which are a part
 * of the line.  At first, *rest is all arguments.  Returns ROFF_END, which is 0, if there is no
 * further argument.  An argument in double quotes may contain spaces; the quotes are not part of
 * the argument, but each "" inside is a quotation mark.  *arg is a part of the line, or a text of
 * `texts`.
 */
enum { ROFF_END, ROFF_WORD, ROFF_QUOTED };
int roff_argument(struct str *rest, struct str *arg, struct texts *texts);

/* Returns the number of bytes of a line before its comment, \" or \#, or of the whole line. */
size_t roff_before_comment(struct str line);

#endif
