/*
 * mem: allocation that never returns NULL; a failure ends the program with exit status 4.
 *
 * These functions are for small, long-lived objects.  A size that comes from input must first be
 * checked against the bytes present.  Tensors are in arenas (arena.h).  The caller frees the
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
char *xstrndup(const char *s, size_t n) MUST_USE;	/* copies n bytes and adds a NUL byte */
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2) MUST_USE;

/*
 * Makes room for at least `need` elements of the given size in the array p, which has room for
 * *room.  Grows by half at a time and updates *room.  Returns the array, which may have moved.
 */
void *mem_grow(void *p, size_t *room, size_t need, size_t size) MUST_USE;

#endif
