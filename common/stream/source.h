/*
 * source: reads the bytes of a path, decompressed and extracted from an archive if necessary.
 *
 * It has no buffer; input.h adds lines and looking ahead.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

struct source;

/* The flags are those of input_open(). */
struct source *source_open(const char *path, unsigned flags, struct err *e) MUST_USE;
struct source *source_memory(const char *name, const void *p, size_t n, struct err *e) MUST_USE;
void source_close(struct source *s);

/* Reads between 1 and n bytes; returns their number, 0 at the end, -1 on error. */
ptrdiff_t source_read(struct source *s, void *p, size_t n, struct err *e) MUST_USE;

const char *source_name(const struct source *s);

/* The descriptor of a plain file that can be mapped, if nothing was read from it; otherwise -1. */
int source_plain_file(const struct source *s);
/* The memory of source_memory() if it is not compressed, or NULL. */
const char *source_plain_memory(const struct source *s, size_t *n);

#endif
