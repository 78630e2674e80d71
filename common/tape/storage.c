/*
 * storage: replaces the values of nodes that are not needed in fp32; see tape.h.
 *
 * A product in bf16 rounds its factors, and so does its backward pass, for which the values are
 * stored.  Rounding them earlier therefore changes no result, but halves the memory.
 */
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
