/*
 * tokenize-western: the rules that sacreBLEU's tokenizers 13a and zh and Tercom's tokenizer share
 * (tokenizers.h).
 */
#ifndef TOKENIZE_WESTERN_H
#define TOKENIZE_WESTERN_H

#include <stdbool.h>

#include "base/buf.h"

/* Do the rules put a space on both sides of c?  Also true for c = ' '. */
bool western_apart(char c);

/*
 * Appends the words of the n bytes at s to `out`, split by mteval-v13a's rules for Western
 * languages and separated by single spaces.  `out` should be empty.  If `padded` is true, periods
 * and commas at the ends of the line are treated as if there were a space before and after the
 * line.
 */
void western(const char *s, size_t n, bool padded, struct buf *out);

/* Replaces every `old` in `text` by `new`.  The contents of `scratch` are overwritten. */
void western_replace(struct buf *text, struct buf *scratch, const char *old, const char *new);

#endif
