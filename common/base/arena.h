/*
 * arena: a region allocator.  Memory is allocated in small parts and freed all at once.
 *
 * Each lane of training (train/gradients.c) uses two arenas: one that is rewound after each part of
 * a batch, and one for scratch memory that is rewound after each operation.  Allocations are
 * aligned to 64 bytes and not cleared.  An arena gets memory from the system in blocks.
 * arena_rewind() replaces several blocks by one block, a quarter larger than `peak`.  Later steps
 * reuse this block, so that each page is faulted in only once.
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
 * Initializes an empty arena with blocks of `block_size` bytes; larger allocations get larger
 * blocks.  `block_size` 0 means 8 MiB.  ARENA_LARGE means one block of 64 GiB of address space,
 * more than any training needs: no page is then returned to the system and faulted in again.  Only
 * pages that are used take memory.  With 32-bit addresses, ARENA_LARGE is 256 MiB, and further
 * blocks are added as needed.
 */
void arena_init(struct arena *a, size_t block_size);
#define ARENA_LARGE ((size_t)1 << (sizeof(size_t) > 4 ? 36 : 28))
void arena_release(struct arena *a);		/* frees all memory; the arena remains usable */

/* Allocate n bytes.  Never NULL: without memory, the program ends with EXIT_SYSTEM. */
void *arena_get(struct arena *a, size_t n);
void *arena_zero(struct arena *a, size_t n);		/* n zero bytes */
void *arena_copy(struct arena *a, const void *p, size_t n);	/* a copy of n bytes at p */
#define ARENA_ARRAY(a, type, n) ((type *)arena_get((a), (size_t)(n) * sizeof(type)))

/*
 * arena_mark() notes the present position.  arena_rewind_to() frees everything that was allocated
 * after the mark, arena_rewind() everything.  After arena_rewind(), earlier marks are invalid.
 */
struct arena_mark arena_mark(const struct arena *a);
void arena_rewind_to(struct arena *a, struct arena_mark m);
void arena_rewind(struct arena *a);

#endif
