/* form: words without the escapes of tokenizers and treebanks. */
#ifndef FORM_H
#define FORM_H

#include <stddef.h>

enum { FORM_ROOM = 256 };

/*
 * Replaces escapes by the characters that they stand for: Moses entities (&quot; &#91;) and @-@,
 * brackets as -LRB-, quotes as `` and '', \/ and \*.  Returns word if it is without the characters
 * & - @ ` ' \ with which escapes begin, or FORM_ROOM bytes or more; otherwise the result, in
 * `room[FORM_ROOM]`.
 */
const char *form_plain(const char *word, char *room);

#endif
