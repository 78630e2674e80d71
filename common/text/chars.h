/* chars: a line as an array of code points, for rules that need adjacent characters. */
#ifndef CHARS_H
#define CHARS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct chars {
	int32_t *c;			/* [n] code points */
	size_t n, room;
};

/* Empty if zero-initialized; chars_release() frees the memory. */
void chars_release(struct chars *a);

/* Overwrites a with the characters of s; an invalid byte becomes U+FFFD. */
void chars_read(struct chars *a, const char *s, size_t n);
/* The next three functions append. */
void chars_add(struct chars *a, int32_t c);
void chars_add_spaced(struct chars *a, int32_t c);		/* with a space on each side */
void chars_append(struct chars *a, const int32_t *c, size_t n);
void chars_write(const int32_t *c, size_t n, struct buf *out);	/* appends UTF-8 */
void chars_swap(struct chars *a, struct chars *b);

/* Replaces several spaces by one, and removes those at the ends; in place. */
void chars_squeeze(struct chars *a);

#endif
