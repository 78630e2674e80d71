/* spare: memory of gradients and relevance that waits for the next; see tape-own.h. */
#include <string.h>

#include "base/mem.h"
#include "tape/tape-own.h"

/* Sizes are rounded up, so that batches of slightly different widths share. */
static size_t
room_for(size_t n)
{
	return (n + 1023) / 1024 * 1024;
}

/* The smallest spare piece that is big enough, if not more than half of it is wasted. */
real *
spare_take(struct tape *t, size_t n)
{
	size_t need = room_for(n), best = t->n_spare;

	for (size_t i = 0; i < t->n_spare; i++)
		if (t->spare[i].n >= need && t->spare[i].n <= 2 * need &&
		    (best == t->n_spare || t->spare[i].n < t->spare[best].n))
			best = i;
	if (best < t->n_spare) {
		real *p = t->spare[best].p;

		/* Its true size is kept in front of it. */
		t->spare[best] = t->spare[--t->n_spare];
		return p;
	}
	{
		size_t head = 64 / sizeof(real);
		real *p = ARENA_ARRAY(t->mem, real, need + head);

		memcpy(p, &need, sizeof(need));
		return p + head;
	}
}

void
spare_give(struct tape *t, real *p)
{
	size_t n;

	memcpy(&n, p - 64 / sizeof(real), sizeof(n));
	t->spare = mem_grow(t->spare, &t->spare_room, t->n_spare + 1, sizeof(*t->spare));
	t->spare[t->n_spare++] = (struct spare){ p, n };
}
