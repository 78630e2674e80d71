/*
 * raw: the bytes of a file, of standard input or of memory, as they lie.
 *
 * What input.h and archive.h have under them.  The first bytes can be looked at
 * without being taken, because what they are decides how to go on.
 */
#ifndef RAW_H
#define RAW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

#define RAW_AHEAD 16	/* bytes that raw_ahead() can look at */

struct raw {
	int fd;				/* -1: memory */
	bool own;			/* close it in the end */
	const char *p;			/* memory not yet read */
	size_t n;
	char head[RAW_AHEAD];		/* looked at, not yet taken */
	size_t head_at, head_n;
	int error;			/* errno of the read that failed, or 0 */
};

/* NULL and "-" are standard input.  On failure errno says why. */
int raw_open(struct raw *r, const char *path);
void raw_memory(struct raw *r, const void *p, size_t n);
void raw_close(struct raw *r);

/* What a read(2) gives: 0 at the end, -1 and r->error on failure. */
ptrdiff_t raw_read(struct raw *r, void *p, size_t n);

/* One more read into the head; the same returns; 0 too when the head is full. */
ptrdiff_t raw_ahead(struct raw *r);

#endif
