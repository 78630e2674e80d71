/*
 * language: the languages of the two sides of a stream, as two or three lower-case letters.
 *
 * Known languages are in the header of a stream, under the keys src.language and tgt.language.
 * Where different languages would give wrong results without an error, programs compare the
 * languages of their inputs.
 */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include <stdbool.h>

#include "stream/stream.h"

enum { LANGUAGE_ROOM = 4 };
struct languages { char side[2][LANGUAGE_ROOM]; };	/* source and target; "": unknown */

bool language_is_code(const char *code);	/* is it two or three lower-case letters? */

/*
 * Sets l from a text: "en-de" has both codes, "en" only the code of the source; with "none", both
 * languages are unknown.  Returns -1 with EXIT_USAGE for any other text.
 */
int languages_parse(struct languages *l, const char *text, struct err *e) MUST_USE;

/*
 * Sets `code` to the ending of a file name if this is a code of ISO 639-1, as "en" in train.en and
 * train.en.gz.  Otherwise sets `code` to "".
 */
void language_of_name(const char *path, char code[LANGUAGE_ROOM]);

/*
 * Sets l to the languages in the header h of a stream.  A value that is not a code counts as
 * unknown.  If h is NULL, both are unknown.
 */
void languages_of(const struct header *h, struct languages *l);
/* Sets the keys of the known languages of l in the header of a writer, before its first record. */
void languages_set(const struct languages *l, struct writer *w);

#endif
