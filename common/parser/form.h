/* form: words as they were before other programs wrote them their way. */
#ifndef FORM_H
#define FORM_H

#include <stddef.h>

enum { FORM_ROOM = 256 };

/*
 * Takes back what tokenizers and treebanks do to words: Moses' entities (&quot; &#91;) and @-@,
 * brackets as -LRB-, quotes as `` and ''.  The word itself, or what it becomes in room[FORM_ROOM];
 * a word too long for that stays as it is.
 */
const char *form_plain(const char *word, char *room);

#endif
