/*
 * side: one of several inputs that belong together line by line.
 *
 * Text, one sentence a line, or a heed stream, one sentence a record; which of
 * them is seen from the first bytes.  Compressed files and members of archives
 * open as everywhere (input.h).  Everything handed out is valid UTF-8.
 */
#ifndef SIDE_H
#define SIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "stream/stream.h"

struct side;

/* needs: the fields that are asked for if it is a stream. */
struct side *side_open(const char *path, const struct field *needs, struct err *e) MUST_USE;
void side_close(struct side *s);		/* NULL is fine */

bool side_is_stream(const struct side *s);
bool side_is_empty(struct side *s);		/* text without a line; asked before the first */
const char *side_name(const struct side *s);
int64_t side_count(const struct side *s);	/* lines or records so far */
const char *side_unit(const struct side *s);	/* "lines" or "records" */

/* 1, 0 at a good end, -1 on error. */
int side_next(struct side *s, struct err *e) MUST_USE;

/* The line, or a text field of the record; lives until side_next(). */
int side_text(const struct side *s, const char *field, struct str *text, struct err *e) MUST_USE;

/*
 * All sides one step on: 1, 0 when all end together, -1 on error; unequal ends are one,
 * with names and counts.
 */
int sides_next(struct side *const *side, size_t n, struct err *e) MUST_USE;

#endif
