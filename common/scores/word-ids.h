/*
 * word-ids: the words of texts as numbers.
 *
 * Words are separated by whitespace.  Those of references are numbered; a hypothesis then has the
 * same ids for the same words, and -1 for words that no reference has.
 */
#ifndef WORD_IDS_H
#define WORD_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strmap.h"

struct word_ids {
	struct strmap map;		/* the words of the references */
	int32_t *id;			/* [n] the words of the text that was read last */
	size_t n, room;
};

void word_ids_init(struct word_ids *w);
void word_ids_release(struct word_ids *w);
void word_ids_clear(struct word_ids *w);	/* forgets the references */

/*
 * Reads a text, which is valid UTF-8, into w->id.  `unicode`: whitespace is that of Unicode, as in
 * Python; otherwise that of ASCII, as in Perl for bytes.
 */
void word_ids_read(struct word_ids *w, const char *s, size_t n, bool reference, bool unicode);

#endif
