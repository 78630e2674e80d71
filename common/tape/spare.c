/* spare: reused memory of gradients and relevance; see tape-own.h. */
#include <string.h>

#include "base/mem.h"
#include "tape/tape-own.h"

/* Sizes are rounded up, so that slightly different sizes can share memory. */
static size_t
spare_room_for(size_t n)
{
	return (n + 1023) / 1024 * 1024;
}

/* Returns the smallest spare memory that is large enough, unless over half would be wasted. */
real *
spare_take(struct tape *t, size_t n)
{
	size_t need = spare_room_for(n), best = t->n_spare;

	for (size_t i = 0; i < t->n_spare; i++)
		if (t->spare[i].n >= need && t->spare[i].n <= 2 * need &&
		    (best == t->n_spare || t->spare[i].n < t->spare[best].n))
			best = i;
	if (best < t->n_spare) {
		real *p = t->spare[best].p;

		/* The actual size is stored before the memory. */
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
