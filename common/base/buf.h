/*
 * buf: a growing byte array.  Functions that add bytes also store a NUL byte after the last one, at
 * data[n], so that a buf of text is also a C string.  A buf of zeros is empty: before the first
 * addition, data is NULL.  If memory is exhausted, the program ends with EXIT_SYSTEM.
 */
#ifndef BUF_H
#define BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

struct buf {
	char *data;
	size_t n, room;			/* bytes used, bytes allocated */
};

void buf_release(struct buf *b);	/* frees the memory; the buf is then empty */
void buf_clear(struct buf *b);		/* sets n to 0 and keeps the memory */
void buf_add(struct buf *b, const void *p, size_t n);
void buf_add_str(struct buf *b, const char *s);
void buf_add_uint(struct buf *b, uint64_t v);	/* in decimal */
void buf_add_int(struct buf *b, int64_t v);	/* in decimal */
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);

void buf_grow(struct buf *b, size_t n);	/* moves the data to more memory, for buf_room() */

/*
 * Makes room for n bytes and a NUL byte after the end, and returns the address of this room, which
 * is valid until the next addition.  The caller writes up to n bytes and a NUL byte there, and adds
 * the number of bytes, without the NUL, to b->n.
 */
static inline char *
buf_room(struct buf *b, size_t n)
{
	if (b->n + n >= b->room)
		buf_grow(b, n);
	return b->data + b->n;
}

static inline void
buf_add_char(struct buf *b, char c)
{
	char *to = buf_room(b, 1);

	to[0] = c;
	to[1] = 0;
	b->n++;
}

#endif
