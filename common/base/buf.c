/* buf: a growing byte array; see buf.h. */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

void
buf_release(struct buf *b)
{
	free(b->data);
	*b = (struct buf){ .data = NULL };
}

void
buf_clear(struct buf *b)
{
	b->n = 0;
	if (b->data)
		b->data[0] = 0;
}

void
buf_grow(struct buf *b, size_t n)
{
	b->data = mem_grow(b->data, &b->room, b->n + n + 1, 1);
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
buf_add_uint(struct buf *b, uint64_t v)
{
	size_t n = 1;
	char *to;

	for (uint64_t rest = v; rest >= 10; rest /= 10)
		n++;
	to = buf_room(b, n);
	b->n += n;
	to[n] = 0;
	for (; n; v /= 10)
		to[--n] = (char)('0' + v % 10);
}

void
buf_add_int(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_add_char(b, '-');
	buf_add_uint(b, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void
buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0)
		bug("cannot print format: %s", fmt);
	buf_room(b, (size_t)n);
	vsnprintf(b->data + b->n, (size_t)n + 1, fmt, ap);
	b->n += (size_t)n;
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}
