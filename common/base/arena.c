/* arena: a region allocator; see arena.h. */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/err.h"

#define ALIGN         ((size_t)64)
#define BLOCK_DEFAULT ((size_t)8 << 20)
#define HUGE_PAGE     ((size_t)2 << 20)
#define SMALL         ((size_t)64 << 10)	/* blocks up to this size come from malloc() */

struct arena_block {
	struct arena_block *next;
	size_t n, at;			/* size and bytes used, including this header */
};

static size_t
arena_round_up(size_t n, size_t multiple)
{
	if (n > SIZE_MAX - multiple)
		die_memory(n);
	return (n + multiple - 1) / multiple * multiple;
}

/*
 * Large blocks come from mmap(), not malloc(), so that huge pages can be requested and no page is
 * returned early.  MAP_NORESERVE: pages that are never touched are not counted against memory.
 * Small ones, as those of thousands of records, would each take a mapping and pages of its own.
 */
static struct arena_block *
block_map(size_t room, size_t *n)
{
	struct arena_block *b;

	if (room <= SMALL - ALIGN) {
		*n = arena_round_up(room + ALIGN, ALIGN);
		b = aligned_alloc(ALIGN, *n);
		return b ? b : MAP_FAILED;
	}
	*n = arena_round_up(room + ALIGN, HUGE_PAGE);
	return mmap(NULL, *n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		    -1, 0);
}

/* Falls back from wanted to needed bytes where the address space of a process is limited. */
static struct arena_block *
block_new(size_t wanted, size_t needed)
{
	size_t n;
	struct arena_block *b = block_map(wanted, &n);

	if (b == MAP_FAILED && wanted > needed)
		b = block_map(needed, &n);
	if (b == MAP_FAILED)
		die_memory(n);
#ifdef MADV_HUGEPAGE
	if (n >= 2 * HUGE_PAGE)
		(void)madvise(b, n, MADV_HUGEPAGE);	/* only affects speed: failure is fine */
#endif
	b->next = NULL;
	b->n = n;
	b->at = ALIGN;
	return b;
}

void
arena_init(struct arena *a, size_t block_size)
{
	memset(a, 0, sizeof(*a));
	a->block_size = block_size ? block_size : BLOCK_DEFAULT;
}

static void
arena_free_blocks(struct arena *a)
{
	struct arena_block *b = a->first, *next;

	for (; b; b = next) {
		next = b->next;
		if (b->n <= SMALL)
			free(b);
		else
			munmap(b, b->n);
	}
	a->first = a->now = NULL;
}

void
arena_release(struct arena *a)
{
	arena_free_blocks(a);
	arena_init(a, a->block_size);
}

/* The next block with room for n bytes: reuses blocks after the current one, then makes one. */
static struct arena_block *
block_with_room(struct arena *a, size_t n)
{
	struct arena_block *b = a->now, *fresh;

	while (b && b->next) {
		b = b->next;
		b->at = ALIGN;
		if (b->n - b->at >= n)
			return b;
	}
	fresh = block_new(n > a->block_size ? n : a->block_size,
			  n > BLOCK_DEFAULT ? n : BLOCK_DEFAULT);
	if (b)
		b->next = fresh;
	else
		a->first = fresh;
	return fresh;
}

void *
arena_get(struct arena *a, size_t n)
{
	struct arena_block *b = a->now;
	void *p;

	n = arena_round_up(n ? n : 1, ALIGN);
	if (!b || b->n - b->at < n)
		a->now = b = block_with_room(a, n);
	p = (char *)b + b->at;
	b->at += n;
	a->used += n;
	if (a->used > a->peak)
		a->peak = a->used;
	return p;
}

void *
arena_zero(struct arena *a, size_t n)
{
	return memset(arena_get(a, n), 0, n);
}

void *
arena_copy(struct arena *a, const void *p, size_t n)
{
	void *q = arena_get(a, n);

	return n ? memcpy(q, p, n) : q;
}

struct arena_mark
arena_mark(const struct arena *a)
{
	struct arena_mark m = { a->now, a->now ? a->now->at : 0, a->used };

	return m;
}

void
arena_rewind_to(struct arena *a, struct arena_mark m)
{
	if (!m.block) {
		m.block = a->first;
		m.at = ALIGN;
		m.used = 0;
	}
	a->now = m.block;
	if (a->now)
		a->now->at = m.at;
	a->used = m.used;
}

/*
 * Steps differ in size, so one step would leave holes in the blocks made for another.
 * A single block has no holes.  A quarter is added for larger steps: untouched memory costs
 * nothing.
 */
static void
merge_blocks(struct arena *a)
{
	size_t need = a->peak + a->peak / 4;

	arena_free_blocks(a);
	if (need > a->block_size)
		a->block_size = need;
}

void
arena_rewind(struct arena *a)
{
	struct arena_mark start = { NULL, 0, 0 };

	if (a->first && a->first->next)
		merge_blocks(a);
	arena_rewind_to(a, start);
}
