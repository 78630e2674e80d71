/* form: words without the escapes of tokenizers and treebanks. */
#ifndef FORM_H
#define FORM_H

#include <stddef.h>

enum { FORM_ROOM = 256 };	/* bytes of the longest result, with a NUL byte */

/*
 * Returns a word with its escapes replaced by the characters that they stand for.  Escapes are the
 * entities of Moses (such as &quot; and &#91;), @-@ and @/@, brackets such as -LRB-, the quotes ``
 * and '', and \/ and \*.  The result is in `room[FORM_ROOM]`.  For a word without the characters &
 * - @ ` ' \, with which escapes begin, or of FORM_ROOM or more bytes, the result is `word` itself.
 */
const char *form_plain(const char *word, char *room);

#endif
