/* json-in: JSON (RFC 8259, strictly) into msgpack; json-out.h says what stands for what JSON lacks. */
#ifndef JSON_IN_H
#define JSON_IN_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"

/*
 * Adds to out the msgpack of the one JSON value in [s, s+n), which a NUL byte
 * must follow.  types, if given, says which fields of an object are tensors and
 * stand as lists of lists.  Errors name the byte; the caller knows the line.
 */
int json_read(const char *s, size_t n, const struct header *types, struct buf *out, struct err *e);

#endif
