/*
 * arena: memory that is taken piece by piece and given back all at once.
 *
 * Three lives: a run, a step (rewound each step), an op (scratch, rewound after
 * each op).  Pieces are aligned to 64 bytes and not cleared.  The arena grows by
 * blocks; arena_rewind() makes one of several, large enough for all that was
 * there, and later rounds reuse it, so that pages are faulted in once.
 */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *first, *now;
	size_t block_size;
	size_t used, peak;		/* bytes handed out now, and at most since init */
};

struct arena_mark {
	struct arena_block *block;
	size_t at, used;
};

/*
 * block_size 0: a good default, for what stays small.  ARENA_LARGE: more addresses than will ever be needed,
 * so that no page is ever given back and faulted in again.
 */
void arena_init(struct arena *a, size_t block_size);
#define ARENA_LARGE ((size_t)1 << (sizeof(size_t) > 4 ? 36 : 28))
void arena_release(struct arena *a);

void *arena_get(struct arena *a, size_t n);		/* never NULL */
void *arena_zero(struct arena *a, size_t n);		/* cleared */
void *arena_copy(struct arena *a, const void *p, size_t n);
#define ARENA_ARRAY(a, type, n) ((type *)arena_get((a), (size_t)(n) * sizeof(type)))

struct arena_mark arena_mark(const struct arena *a);
void arena_rewind_to(struct arena *a, struct arena_mark m);
void arena_rewind(struct arena *a);			/* to the very beginning */

#endif
