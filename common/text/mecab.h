/*
 * mecab: segments Japanese text into words with libmecab and the IPA dictionary.
 *
 * mecab-lib.c is built if the library is there, mecab-none.c otherwise.
 */
#ifndef HEED_MECAB_H
#define HEED_MECAB_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Must succeed before mecab_words() is called.  Returns -1 with EXIT_USAGE and a hint if heed is
 * built without the library, or if its dictionary is not the IPA dictionary in UTF-8, without a
 * user dictionary.
 */
int mecab_ready(struct err *e) MUST_USE;

/* Appends the words of a line, separated by spaces.  Threads wait for each other. */
void mecab_words(const char *s, size_t n, struct buf *out);

const char *mecab_signature(void);	/* "ja-mecab-0.996-IPA", as in sacreBLEU */

#endif
