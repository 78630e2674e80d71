/*
 * side: one of several parallel inputs.
 *
 * An input is text, one sentence per line, or a heed stream, one sentence per record; the first
 * bytes decide.  It may be compressed or a member of an archive (input.h).  All returned text is
 * valid UTF-8.
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

/*
 * Opens a path as input_open() does; NULL is standard input.  `needs` are the fields that a stream
 * must have.  Returns NULL and e as input_open() and reader_open().
 */
struct side *side_open(const char *path, const struct field *needs, struct err *e) MUST_USE;
void side_close(struct side *s);		/* s may be NULL */

bool side_is_stream(const struct side *s);
bool side_is_empty(struct side *s);		/* text without lines; call before side_next() */
const char *side_name(const struct side *s);
int64_t side_count(const struct side *s);	/* lines or records so far */
const char *side_unit(const struct side *s);	/* "lines" or "records"; singular for 1 */

/*
 * Reads the next sentence.  Returns 1, 0 at the end, or -1 and e, which names line or record.
 * After the end and after an error, it returns 0.
 */
int side_next(struct side *s, struct err *e) MUST_USE;

/*
 * The line, or a text field of the record; valid until side_next().  `field` is ignored for lines.
 * Returns -1 with EXIT_INPUT if the record lacks the field, or if it is not UTF-8.
 */
int side_text(const struct side *s, const char *field, struct str *text, struct err *e) MUST_USE;

/*
 * Reads the next sentence of all n sides.  Returns 1, 0 if all have ended, or -1 as side_next().
 * Different lengths are an error (EXIT_INPUT), whose message has names and lengths.
 */
int sides_next(struct side *const *side, size_t n, struct err *e) MUST_USE;

#endif
