/* texts: see texts.h. */
#include "base/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FIRST ((size_t)512)

struct texts_block {
	struct texts_block *before;
	size_t n, room;
	char text[];
};

static struct texts_block *
texts_add_block(struct texts *t, size_t need)
{
	size_t room = t->last ? 2 * t->last->room : FIRST;
	struct texts_block *b;

	if (room < need)
		room = need;
	b = xmalloc(sizeof(*b) + room);
	*b = (struct texts_block){ .before = t->last, .room = room };
	return t->last = b;
}

const char *
texts_add(struct texts *t, const char *s, size_t n)
{
	struct texts_block *b = t->last;
	char *to;

	if (!b || b->room - b->n <= n)
		b = texts_add_block(t, n + 1);
	to = b->text + b->n;
	if (n)
		memcpy(to, s, n);
	to[n] = '\0';
	b->n += n + 1;
	return to;
}

static void
free_blocks(struct texts_block *b)
{
	struct texts_block *before;

	for (; b; b = before) {
		before = b->before;
		free(b);
	}
}

/* The last block is the largest, because each one is at least twice as large as its predecessor. */
void
texts_clear(struct texts *t)
{
	if (!t->last)
		return;
	free_blocks(t->last->before);
	t->last->before = NULL;
	t->last->n = 0;
}

void
texts_release(struct texts *t)
{
	free_blocks(t->last);
	t->last = NULL;
}
