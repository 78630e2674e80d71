/*
 * strmap: strings numbered in the order in which they first came.
 *
 * An open hash table over one pool of text.  Numbers run from 0 without gaps,
 * so that whatever belongs to a string stands in a plain array beside.
 */
#ifndef STRMAP_H
#define STRMAP_H

#include <stddef.h>
#include <stdint.h>

struct strmap {
	char *text;			/* all strings, each followed by a NUL byte */
	size_t text_n, text_room;
	struct strmap_entry { size_t at; uint32_t n, hash; } *entry;
	size_t n, room;			/* strings; room in entry */
	int32_t *slot;			/* -1 or a number */
	size_t slots;			/* a power of two */
};

void strmap_init(struct strmap *m);
void strmap_release(struct strmap *m);
void strmap_clear(struct strmap *m);

int strmap_add(struct strmap *m, const char *s, size_t n);	/* its number, old or new */
int strmap_find(const struct strmap *m, const char *s, size_t n);	/* or -1 */

/* Text of a number, NUL-terminated; *n, if given, gets its length.  Valid until the next add. */
const char *strmap_text(const struct strmap *m, int id, size_t *n);

#endif
