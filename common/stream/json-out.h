/*
 * json-out: msgpack as JSON, from which json-in.h makes the same bytes again.
 *
 * What JSON cannot say stands in an object of one key that begins with a dollar:
 * {"$bin": base64}, {"$f32": x} a float of 32 bits, {"$float": "nan"|"inf"|"-inf"},
 * and for anything that is not encoded as short as it could be, or not text,
 * {"$msgpack": base64} the value's own bytes.  See heed-show(1).
 */
#ifndef JSON_OUT_H
#define JSON_OUT_H

#include <stddef.h>

#include "base/buf.h"
#include "stream/stream.h"
#include "stream/type.h"

/* One whole value in [p, p+n).  Tensors of a declared type become lists of lists; t may be NULL. */
void json_add_value(struct buf *out, const struct type *t, const void *p, size_t n);

/* A record, its fields in order. */
void json_add_record(struct buf *out, const struct record *rec);

void json_add_string(struct buf *out, const char *s, size_t n);	/* valid UTF-8, in quotes */
void base64_add(struct buf *out, const void *p, size_t n);

#endif
