/*
 * json-out: converts msgpack to JSON, from which json-in.h restores the same bytes, except that all
 * NaNs are the same.
 *
 * Values that JSON lacks become objects with a single key that starts with a dollar: {"$bin":
 * base64} for bytes, {"$f32": x} for a 32-bit float, and {"$float": "nan"|"inf"|"-inf"}.  Any other
 * such value, for instance text that is not UTF-8 or a value that is not encoded in the shortest
 * way, becomes {"$msgpack": base64}, with its msgpack bytes; if it is inside a list or map, the
 * whole value of the field does.  See heed-show(1).
 */
#ifndef JSON_OUT_H
#define JSON_OUT_H

#include <stddef.h>

#include "base/buf.h"
#include "stream/stream.h"
#include "stream/type.h"

/*
 * Appends the JSON of one complete msgpack value of n bytes at p.  If t is the type of a tensor
 * (type.h), the value becomes nested lists, if these keep all its bytes.  t is NULL for a value
 * that is no tensor.
 */
void json_add_value(struct buf *out, const struct type *t, const void *p, size_t n);

/* Appends a record as an object, with its fields in order. */
void json_add_record(struct buf *out, const struct record *rec);

/* Append a finite v as the shortest decimal that reads back as the same number. */
void json_add_single(struct buf *out, float v);
void json_add_double(struct buf *out, double v);
/* Appends v with four decimals, or null if it is not finite, as JSON has no infinity. */
void json_add_fixed(struct buf *out, double v);

/*
 * Append a text in quotes, with escapes: n bytes of valid UTF-8, or a text of unknown origin, such
 * as a file name, in which each byte that is not UTF-8 becomes U+FFFD.
 */
void json_add_string(struct buf *out, const char *s, size_t n);
void json_add_text(struct buf *out, const char *s);
/* Appends n bytes in base64, without quotes. */
void base64_add(struct buf *out, const void *p, size_t n);

#endif
