/* buf: bytes that grow; see buf.h. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

void
buf_init(struct buf *b)
{
	memset(b, 0, sizeof(*b));
}

void
buf_release(struct buf *b)
{
	free(b->data);
	buf_init(b);
}

void
buf_clear(struct buf *b)
{
	b->n = 0;
	if (b->data)
		b->data[0] = 0;
}

char *
buf_room(struct buf *b, size_t n)
{
	b->data = mem_grow(b->data, &b->room, b->n + n + 1, 1);
	return b->data + b->n;
}

void
buf_add(struct buf *b, const void *p, size_t n)
{
	char *to = buf_room(b, n);

	if (n)
		memcpy(to, p, n);
	b->n += n;
	b->data[b->n] = 0;
}

void
buf_add_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_add_char(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		bug("a format that cannot be printed: %s", fmt);
	buf_room(b, (size_t)n);
	va_start(ap, fmt);
	vsnprintf(b->data + b->n, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->n += (size_t)n;
}
