/*
 * language: the languages of the two sides of a stream, as two or three lower-case letters.
 *
 * They are in the header of a stream if they are known, under the keys src.language and
 * tgt.language.  Programs compare them where languages that differ would give wrong results
 * without an error.
 */
#ifndef LANGUAGE_H
#define LANGUAGE_H

#include <stdbool.h>

#include "stream/stream.h"

enum { LANGUAGE_ROOM = 4 };
struct languages { char side[2][LANGUAGE_ROOM]; };	/* source and target; "": unknown */

bool language_is_code(const char *code);	/* is it two or three lower-case letters? */

/*
 * Sets l from a pair of codes, "en-de", or from the code of the source, "en".  "none": both are
 * unknown.  Fails with EXIT_USAGE for any other text.
 */
int languages_parse(struct languages *l, const char *text, struct err *e) MUST_USE;

/*
 * Sets `code` to the language in the ending of a file name, if it is a code of ISO 639-1: "en" of
 * train.en and train.en.gz.  Sets it to "" if there is none.
 */
void language_of_name(const char *path, char code[LANGUAGE_ROOM]);

/* The languages of a stream; h may be NULL.  A value that is not a code counts as unknown. */
void languages_of(const struct header *h, struct languages *l);
/* Sets the known languages in the header of a stream. */
void languages_set(const struct languages *l, struct writer *w);

#endif
