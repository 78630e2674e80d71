/* tokenize-western: the rules that the tokenizers 13a, zh and Tercom's share; see tokenizers.c. */
#ifndef TOKENIZE_WESTERN_H
#define TOKENIZE_WESTERN_H

#include <stdbool.h>

#include "base/buf.h"

/* Does c get a space on both sides?  The space itself does, too. */
bool western_apart(char c);

/*
 * Appends the words of s, split by mteval-v13a's rules for Western languages.  With `padded`, the
 * line gets a space at both ends before, which affects periods and commas there.
 */
void western(const char *s, size_t n, bool padded, struct buf *out);

/* Replaces every `old` in text by `new`. */
void western_replace(struct buf *text, struct buf *scratch, const char *old, const char *new);

#endif
