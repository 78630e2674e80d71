/*
 * json-out: converts msgpack to JSON, from which json-in.h restores the same bytes.
 *
 * Values that JSON lacks are objects with a single key that starts with a dollar: {"$bin":
 * base64}, {"$f32": x} for a 32-bit float, and {"$float": "nan"|"inf"|"-inf"}. {"$msgpack":
 * base64} has the encoded bytes of any other value, such as text that is not UTF-8 or a value
 * that is not encoded in the shortest way.  See heed-show(1).
 */
#ifndef JSON_OUT_H
#define JSON_OUT_H

#include <stddef.h>

#include "base/buf.h"
#include "stream/stream.h"
#include "stream/type.h"

/*
 * Appends the JSON of one complete value of n bytes at p.  A tensor of the declared type t
 * becomes nested lists; t may be NULL.
 */
void json_add_value(struct buf *out, const struct type *t, const void *p, size_t n);

/* Appends a record, with its fields in order. */
void json_add_record(struct buf *out, const struct record *rec);

/* Appends the shortest decimal that reads back as the finite v. */
void json_add_single(struct buf *out, float v);
/* Appends v with four decimals, or null if it is not finite, as JSON has no infinity. */
void json_add_fixed(struct buf *out, double v);
void json_add_string(struct buf *out, const char *s, size_t n);	/* valid UTF-8, in quotes */
/* The same for text of unknown origin, such as a file name: invalid UTF-8 becomes U+FFFD. */
void json_add_text(struct buf *out, const char *s);
void base64_add(struct buf *out, const void *p, size_t n);

#endif
