/*
 * strmap: maps strings to numbers, in the order in which they were first added.
 *
 * An open hash table over one pool of text.  Numbers run from 0 without gaps, so that values that
 * belong to the strings can be kept in a parallel array.
 */
#ifndef STRMAP_H
#define STRMAP_H

#include <stddef.h>
#include <stdint.h>

struct strmap {
	char *text;			/* all strings, each followed by a NUL byte */
	size_t text_n, text_room;
	struct strmap_entry { size_t at; uint32_t n, hash; } *entry;
	size_t n, room;			/* number of strings; size of entry */
	int32_t *slot;			/* [slots] the number of a string, or -1 */
	size_t slots;			/* a power of two */
};

void strmap_init(struct strmap *m);
void strmap_release(struct strmap *m);
void strmap_clear(struct strmap *m);

int strmap_add(struct strmap *m, const char *s, size_t n);	/* its number, old or new */
int strmap_find(const struct strmap *m, const char *s, size_t n);	/* its number, or -1 */

/*
 * The string with this number, NUL-terminated and valid until the next add.  Stores its length in
 * *n unless n is NULL.
 */
const char *strmap_text(const struct strmap *m, int id, size_t *n);

#endif
