/*
 * mecab: segments Japanese text into words with libmecab and the IPA dictionary.
 *
 * mecab-lib.c implements these functions if the library is installed when heed is built, and
 * otherwise mecab-none.c.
 */
#ifndef HEED_MECAB_H
#define HEED_MECAB_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Opens the dictionary.  Must return 0 before mecab_words() is called.  Returns -1 with EXIT_USAGE
 * and a hint if heed is built without libmecab, or if libmecab uses any other dictionary than the
 * IPA dictionary in UTF-8.
 */
int mecab_ready(struct err *e) MUST_USE;

/*
 * Appends the words of a line of n bytes to `out`, separated by spaces.  Threads wait for each
 * other.
 */
void mecab_words(const char *s, size_t n, struct buf *out);

/* The name of this tokenizer in signatures of sacreBLEU, such as "ja-mecab-0.996-IPA". */
const char *mecab_signature(void);

#endif
