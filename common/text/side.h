/*
 * side: one of several parallel inputs.
 *
 * An input is text with one sentence per line, or a heed stream with one sentence per record; its
 * first bytes tell which.  An input may be compressed or a member of an archive (input.h).  All
 * text that the functions return is valid UTF-8.
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
 * Opens a path as input_open() does (input.h); NULL is standard input.  `needs` are the fields that
 * a stream must have (stream.h); it may be NULL.  Returns NULL with the error of input_open() or
 * reader_open().
 */
struct side *side_open(const char *path, const struct field *needs, struct err *e) MUST_USE;
void side_close(struct side *s);		/* s may be NULL */

bool side_is_stream(const struct side *s);
bool side_is_empty(struct side *s);		/* text without lines; call before side_next() */
const char *side_name(const struct side *s);	/* the path, or "standard input" */
int64_t side_count(const struct side *s);	/* lines or records read so far */

/*
 * Reads the next sentence.  Returns 1, 0 at the end of the input, or -1 with an error that names
 * the line or the record.  Further calls after the end or an error return 0.
 */
int side_next(struct side *s, struct err *e) MUST_USE;

/*
 * Sets *text to the line, or to the value of the field `field` of the record; it is valid until
 * side_next().  For text input, `field` is ignored.  Returns -1 with EXIT_INPUT if the record lacks
 * the field, or the field is no text in UTF-8.
 */
int side_text(const struct side *s, const char *field, struct str *text, struct err *e) MUST_USE;

/*
 * Reads the next sentence of all n sides.  Returns 1, 0 if all sides have ended, or -1 if
 * side_next() fails.  If only some sides have ended, returns -1 with EXIT_INPUT and a message with
 * the names and numbers of lines or records of two sides.
 */
int sides_next(struct side *const *side, size_t n, struct err *e) MUST_USE;

#endif
