/*
 * mem: allocation that never returns NULL; a failure ends the program with exit status 4.
 *
 * These functions are for small, long-lived objects; tensors are in arenas (arena.h).  A size that
 * was read from a file must first be checked against the size of the file.  The caller frees the
 * memory with free().
 */
#ifndef MEM_H
#define MEM_H

#include <stddef.h>

#include "base/compiler.h"

void *xmalloc(size_t n) MUST_USE;
void *xcalloc(size_t n, size_t size) MUST_USE;		/* zeroed */
void *xrealloc(void *p, size_t n) MUST_USE;
void *xreallocarray(void *p, size_t n, size_t size) MUST_USE;
char *xstrdup(const char *s) MUST_USE;
char *xstrndup(const char *s, size_t n) MUST_USE;	/* a copy of n bytes, with a NUL after it */
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2) MUST_USE;

/*
 * Makes room for at least `need` elements of `size` bytes in the array p, which has room for *room
 * elements; p may be NULL if *room is 0.  If the array must grow, it grows by at least half, and
 * *room is updated.  Returns the array, which may have moved.
 */
void *mem_grow(void *p, size_t *room, size_t need, size_t size) MUST_USE;

#endif
