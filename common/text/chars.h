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

/* Frees the memory of `a`, which is then empty, as a zero-initialized struct is. */
void chars_release(struct chars *a);

/*
 * Replaces the contents of `a` by the characters of the n bytes at s, in UTF-8.  An invalid byte
 * becomes U+FFFD.
 */
void chars_read(struct chars *a, const char *s, size_t n);
/* Append to `a` a code point, a code point with a space before and after it, or n code points. */
void chars_add(struct chars *a, int32_t c);
void chars_add_spaced(struct chars *a, int32_t c);
void chars_append(struct chars *a, const int32_t *c, size_t n);
/* Appends n code points to `out` in UTF-8, but no NUL byte after them. */
void chars_write(const int32_t *c, size_t n, struct buf *out);
void chars_swap(struct chars *a, struct chars *b);		/* exchanges the contents */

/* Replaces several adjacent spaces in `a` by one, and removes the spaces at both ends. */
void chars_squeeze(struct chars *a);

#endif
