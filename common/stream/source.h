/*
 * source: the bytes behind a path, decompressed and out of their archive.
 *
 * One read at a time and no buffer of its own; input.h puts lines and looking
 * ahead on top.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

struct source;

/* flags as for input_open(). */
struct source *source_open(const char *path, unsigned flags, struct err *e) MUST_USE;
struct source *source_memory(const char *name, const void *p, size_t n, struct err *e) MUST_USE;
void source_close(struct source *s);

/* At least one byte and at most n; 0 at the end, -1 on error. */
ptrdiff_t source_read(struct source *s, void *p, size_t n, struct err *e) MUST_USE;

const char *source_name(const struct source *s);

/* The file descriptor of a plain file at its beginning, that can be mapped; -1 otherwise. */
int source_plain_file(const struct source *s);
/* Plain memory as it was given, or NULL. */
const char *source_plain_memory(const struct source *s, size_t *n);

#endif
