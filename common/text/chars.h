/* chars: a line as an array of code points, for rules that look at neighbours. */
#ifndef CHARS_H
#define CHARS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct chars {
	int32_t *c;
	size_t n, room;
};

void chars_release(struct chars *a);
void chars_read(struct chars *a, const char *s, size_t n);	/* instead of what was there; invalid bytes as U+FFFD */
void chars_add(struct chars *a, int32_t c);
void chars_add_spaced(struct chars *a, int32_t c);		/* with a blank on each side */
void chars_append(struct chars *a, const int32_t *c, size_t n);
void chars_write(const int32_t *c, size_t n, struct buf *out);	/* as UTF-8 */
void chars_swap(struct chars *a, struct chars *b);

/* Runs of blanks become one, and none at the ends; in place. */
void chars_squeeze(struct chars *a);

#endif
