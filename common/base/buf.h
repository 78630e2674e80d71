/*
 * buf: a growing byte array.  After the first addition, data[n] is always a NUL byte, so that a
 * buf of text is also a C string.
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

void buf_init(struct buf *b);		/* the same as all zeros */
void buf_release(struct buf *b);
void buf_clear(struct buf *b);		/* sets n to 0 and keeps the memory */
void buf_add(struct buf *b, const void *p, size_t n);
void buf_add_str(struct buf *b, const char *s);
void buf_add_uint(struct buf *b, uint64_t v);	/* in decimal */
void buf_add_int(struct buf *b, int64_t v);
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);

void buf_grow(struct buf *b, size_t n);	/* for buf_room() */

/* Makes room for n bytes after the end and returns their address; the caller then adds to b->n. */
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
