/* json-in: converts JSON (RFC 8259, strictly) to msgpack; the inverse of json-out.h. */
#ifndef JSON_IN_H
#define JSON_IN_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"

/*
 * Appends to `out` the msgpack encoding of the one JSON value of n bytes at s, which a NUL byte
 * must follow.  Unless `types` is NULL, its declarations say which fields of an object are tensors,
 * which are nested lists in JSON.  Error messages name the byte; the caller adds the line.
 */
int json_read(const char *s, size_t n, const struct header *types, struct buf *out, struct err *e);

/*
 * Like json_read() for JSON of other programs: an object whose key starts with a dollar, such as
 * {"$bin": ...}, is an object.
 */
int json_read_plain(const char *s, size_t n, struct buf *out, struct err *e);

#endif
