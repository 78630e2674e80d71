/*
 * arena: a region allocator.  Memory is allocated in small parts and freed all at once.
 *
 * Training uses three: one for the whole run, one for a training step (rewound after each step) and
 * one for an op's scratch memory (rewound after each op).  Allocations are aligned to 64 bytes and
 * not cleared.  The arena grows by blocks.  arena_rewind() replaces several blocks by one that is
 * large enough for all of them; later steps reuse it, so that each page is faulted in once.
 */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *first, *now;
	size_t block_size;
	size_t used, peak;		/* bytes allocated now, and their maximum since init */
};

struct arena_mark {
	struct arena_block *block;
	size_t at, used;
};

/*
 * Initializes an empty arena with blocks of `block_size` bytes, or more for large allocations.  0
 * selects a default that suits small arenas.  ARENA_LARGE reserves 64 GiB of address space, more
 * than will ever be needed, so that no page is ever returned to the system and faulted in again.
 * With 32-bit addresses it is 256 MiB, and the arena may grow like any other.
 */
void arena_init(struct arena *a, size_t block_size);
#define ARENA_LARGE ((size_t)1 << (sizeof(size_t) > 4 ? 36 : 28))
void arena_release(struct arena *a);

void *arena_get(struct arena *a, size_t n);		/* never NULL */
void *arena_zero(struct arena *a, size_t n);		/* the same, zeroed */
void *arena_copy(struct arena *a, const void *p, size_t n);	/* a copy of n bytes at p */
#define ARENA_ARRAY(a, type, n) ((type *)arena_get((a), (size_t)(n) * sizeof(type)))

/* arena_rewind_to() frees everything allocated after the mark, arena_rewind() everything. */
struct arena_mark arena_mark(const struct arena *a);
void arena_rewind_to(struct arena *a, struct arena_mark m);
void arena_rewind(struct arena *a);

#endif
