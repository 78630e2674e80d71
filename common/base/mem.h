/*
 * mem: memory that is there or ends the program.
 *
 * For what lives long and is small.  Whatever scales with hostile input must be
 * checked against the bytes present first; tensors live in arenas (arena.h).
 * All are freed with free().
 */
#ifndef MEM_H
#define MEM_H

#include <stddef.h>

#include "base/compiler.h"

void *xmalloc(size_t n) MUST_USE;
void *xcalloc(size_t n, size_t size) MUST_USE;		/* zeroed; overflow ends the program */
void *xrealloc(void *p, size_t n) MUST_USE;
void *xreallocarray(void *p, size_t n, size_t size) MUST_USE;
char *xstrdup(const char *s) MUST_USE;
char *xstrndup(const char *s, size_t n) MUST_USE;	/* ends with a NUL byte */
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2) MUST_USE;

/*
 * Makes room for at least need elements of the given size in p, which has room
 * for *room; grows by half at a time.  Returns the possibly moved array.
 */
void *mem_grow(void *p, size_t *room, size_t need, size_t size) MUST_USE;

#endif
