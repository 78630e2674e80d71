/*
 * source: reads the bytes of a path, decompressed and extracted from an archive if necessary.
 *
 * A source has no buffer.  struct input (input.h), which reads lines and looks ahead, uses a
 * source.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

struct source;

/*
 * Open a path, or n bytes at p, like input_open() and input_memory() (input.h), with the same
 * errors.
 */
struct source *source_open(const char *path, unsigned flags, struct err *e) MUST_USE;
struct source *source_memory(const char *name, const void *p, size_t n, struct err *e) MUST_USE;
void source_close(struct source *s);

/* Reads from 1 to n bytes into p.  Returns their number, 0 at the end, or -1 with an error. */
ptrdiff_t source_read(struct source *s, void *p, size_t n, struct err *e) MUST_USE;

const char *source_name(const struct source *s);	/* the path, or "standard input" */

/* Like input_plain_file() (input.h). */
int source_plain_file(const struct source *s);
/*
 * Returns the memory that was given to source_memory(), and sets *n to its size; NULL if it is
 * compressed, or if the source is a path.
 */
const char *source_plain_memory(const struct source *s, size_t *n);

#endif
