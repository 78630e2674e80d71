/*
 * raw: reads the unprocessed bytes of a file, of standard input, of memory or of a function.
 *
 * The readers of input.h and archive.h use struct raw.  The first bytes of the data can be
 * inspected without consuming them, to detect compression.
 */
#ifndef RAW_H
#define RAW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

#define RAW_AHEAD 16	/* maximum number of bytes that raw_ahead() reads ahead */

/*
 * A function like read(2), which stores errno in *error on failure.  `arg` is that of
 * raw_function().
 */
typedef ptrdiff_t raw_reader(void *arg, void *p, size_t n, int *error);

struct raw {
	int fd;				/* -1: memory or a function */
	bool own;			/* raw_close() closes fd */
	const char *p;			/* the n bytes of memory that were not read yet */
	size_t n;
	raw_reader *read;		/* the function, or NULL */
	void *arg;
	char head[RAW_AHEAD];		/* bytes read ahead; those from head_at on are unread */
	size_t head_at, head_n;
	int error;			/* errno of the read that failed, or 0 */
};

/*
 * Open a file, n bytes at p, or a function.  For raw_open(), NULL and "-" are standard input; it
 * returns -1 and sets errno on failure.  The bytes at p are not copied, and must outlive r.
 */
int raw_open(struct raw *r, const char *path);
void raw_memory(struct raw *r, const void *p, size_t n);
void raw_function(struct raw *r, raw_reader *read, void *arg);
void raw_close(struct raw *r);

/*
 * Reads up to n bytes, like read(2).  Returns their number, 0 at the end, or -1 with errno in
 * r->error on failure.
 */
ptrdiff_t raw_read(struct raw *r, void *p, size_t n);

/*
 * Reads bytes ahead and appends them to r->head; raw_read() returns them later.  Returns their
 * number, 0 at the end or if the head is full, or -1 with errno in r->error.
 */
ptrdiff_t raw_ahead(struct raw *r);

#endif
