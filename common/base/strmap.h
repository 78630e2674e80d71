/*
 * strmap: maps strings to numbers, in the order in which they were first added.
 *
 * A hash table with open addressing.  Numbers run from 0 without gaps, so that values for the
 * strings can be kept in an array, indexed by number.  A map of zeros is empty.
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
	int32_t *slot;			/* [slots] the number of a string, or -1: empty */
	size_t slots;			/* a power of two */
};

void strmap_release(struct strmap *m);
void strmap_clear(struct strmap *m);	/* removes all strings and keeps the memory */

/* Return the number of a string of n bytes.  strmap_add() adds the string if it is new. */
int strmap_add(struct strmap *m, const char *s, size_t n);
int strmap_find(const struct strmap *m, const char *s, size_t n);	/* -1 if it is not there */

/*
 * Returns the string with number `id`, NUL-terminated and valid until the next strmap_add().
 * Stores its length in *n unless n is NULL.
 */
const char *strmap_text(const struct strmap *m, int id, size_t *n);

#endif
