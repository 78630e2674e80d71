/*
 * storage: replaces the values of nodes that are not needed in fp32 (tape.h); spare memory of
 * gradients and relevance (tape-own.h).
 *
 * A product in bf16 rounds its factors, and so does its backward pass, for which the values are
 * stored.  Rounding them earlier therefore changes no result, but halves the memory.
 */
#include <string.h>

#include "base/mem.h"
#include "tape/op.h"
#include "tape/tape-own.h"
#include "tensor/backend/backend.h"
#include "tensor/kernels.h"

enum { SMALLEST = 4096 };	/* elements; spare memory is rounded up */

real *
storage_take(struct tape *t, struct node *n)
{
	const size_t size = node_size(n);

	n->spare = t->pass->training && n->op->flags & OP_REPLACED && size >= SMALLEST;
	return n->spare ? spare_take(t, size) : ARENA_ARRAY(t->mem, real, size);
}

void
tape_drop(struct tape *t, struct node *n)
{
	if (!n->spare)
		return;
	spare_give(t, n->x);
	n->x = NULL;
	n->spare = 0;
}

static void
storage_round_rows(void *arg, int from, int to)
{
	const struct node *n = arg;
	const ptrdiff_t at = (ptrdiff_t)from * n->d[1];

	k_to_bf16((size_t)(to - from) * (size_t)n->d[1], n->x + at, n->x16 + at);
}

void
tape_round(struct tape *t, struct node *n)
{
	if (!n->spare || n->n_dim != 2 || !(t->pass->backend->caps & BACKEND_BF16))
		return;
	n->x16 = ARENA_ARRAY(t->mem, bf16, node_size(n));
	pass_ranges(t->pass, n->d[0], n->d[1], storage_round_rows, n);
	tape_drop(t, n);
}

/* --- spare memory --- */

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
