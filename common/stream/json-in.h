/* json-in: converts JSON (RFC 8259, strictly) to msgpack; the inverse of json-out.h. */
#ifndef JSON_IN_H
#define JSON_IN_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"

/*
 * Converts one JSON value of n bytes at s, with a NUL byte after them, and appends its msgpack
 * encoding to `out`.  Objects whose first key starts with a dollar, such as {"$bin": ...}, stand
 * for values that JSON lacks (json-out.h).  Unless `types` is NULL, this header declares which
 * fields of an object are tensors; in JSON, tensors are nested lists.  Returns 0, or -1 with
 * EXIT_INPUT; the message gives the number of the byte, and the caller adds the line.
 */
int json_read(const char *s, size_t n, const struct header *types, struct buf *out, struct err *e);

/*
 * Like json_read(), for JSON of other programs: objects whose first key starts with a dollar are
 * ordinary objects.  `large`: integers of more than 64 bits become floats, and are not an error.
 */
int json_read_plain(const char *s, size_t n, bool large, struct buf *out, struct err *e);

#endif
