/*
 * raw: reads the unprocessed bytes of a file, of standard input, of memory or of a function.
 *
 * input.h and archive.h are built on it.  The first bytes can be inspected without consuming
 * them, to detect compression.
 */
#ifndef RAW_H
#define RAW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

#define RAW_AHEAD 16	/* maximum number of bytes for raw_ahead() */

/* Like read(2), but the value of errno on failure is given as *error. */
typedef ptrdiff_t raw_reader(void *arg, void *p, size_t n, int *error);

struct raw {
	int fd;				/* -1: memory or a function */
	bool own;			/* raw_close() closes fd */
	const char *p;			/* memory that was not read yet */
	size_t n;
	raw_reader *read;		/* or NULL */
	void *arg;
	char head[RAW_AHEAD];		/* bytes read ahead; those from head_at on are unread */
	size_t head_at, head_n;
	int error;			/* errno of the read that failed, or 0 */
};

/* NULL and "-" are standard input.  Returns -1 and sets errno on failure. */
int raw_open(struct raw *r, const char *path);
void raw_memory(struct raw *r, const void *p, size_t n);
void raw_function(struct raw *r, raw_reader *read, void *arg);
void raw_close(struct raw *r);

/* Like read(2): the number of bytes, 0 at the end, -1 and r->error on failure. */
ptrdiff_t raw_read(struct raw *r, void *p, size_t n);

/* Reads more bytes into the head; the result is that of raw_read(), and 0 if the head is full. */
ptrdiff_t raw_ahead(struct raw *r);

#endif
