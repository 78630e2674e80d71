/* chars: see chars.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "text/chars.h"

void
chars_release(struct chars *a)
{
	free(a->c);
	*a = (struct chars){ NULL, 0, 0 };
}

void
chars_read(struct chars *a, const char *s, size_t n)
{
	size_t len;

	a->n = 0;
	a->c = mem_grow(a->c, &a->room, n + 1, sizeof(*a->c));
	for (size_t i = 0; i < n; i += len) {
		const int32_t c = utf8_next(s + i, n - i, &len);

		a->c[a->n++] = c < 0 ? 0xfffd : c;
	}
}

void
chars_add(struct chars *a, int32_t c)
{
	if (a->n == a->room)
		a->c = mem_grow(a->c, &a->room, a->n + 1, sizeof(*a->c));
	a->c[a->n++] = c;
}

void
chars_add_spaced(struct chars *a, int32_t c)
{
	chars_add(a, ' ');
	chars_add(a, c);
	chars_add(a, ' ');
}

void
chars_append(struct chars *a, const int32_t *c, size_t n)
{
	if (!n)
		return;
	a->c = mem_grow(a->c, &a->room, a->n + n, sizeof(*a->c));
	memcpy(a->c + a->n, c, n * sizeof(*c));
	a->n += n;
}

void
chars_write(const int32_t *c, size_t n, struct buf *out)
{
	char *to = buf_room(out, 4 * n);
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		m += utf8_put(c[i], to + m);
	out->n += m;
}

void
chars_swap(struct chars *a, struct chars *b)
{
	const struct chars old = *a;

	*a = *b;
	*b = old;
}

void
chars_squeeze(struct chars *a)
{
	size_t m = 0;

	for (size_t i = 0; i < a->n; i++)
		if (a->c[i] != ' ' || (m && a->c[m - 1] != ' '))
			a->c[m++] = a->c[i];
	if (m && a->c[m - 1] == ' ')
		m--;
	a->n = m;
}
