/*
 * signature: the settings with which the measures in a stream were computed, in the key
 * HEADER_SIGNATURE of its header.
 *
 * A signature consists of parts, separated by bars; a part is a key, or a key and a value, as in
 * "heed|target:ref|unit:word|sentences:100".  The measures of two streams are not comparable if
 * their signatures have a key with different values.  Only the first SIGNATURE_MAX bytes of a
 * signature count.
 */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include <stdbool.h>

#include "base/buf.h"

/* The key of the signature in a stream of heads or of curves. */
#define HEADER_SIGNATURE "signature"
enum { SIGNATURE_MAX = 4096 };

/*
 * Appends the part "|key:value" to a signature.  Of the value, at most 100 bytes are used; control
 * characters and bars in it become '?'.
 */
void signature_add(struct buf *signature, const char *key, const char *value);

/*
 * Joins the signatures of several files in *joined.  *joined is NULL before the first call, and the
 * caller frees it after the last call.  `given` is the signature of the file `name`, or NULL if it
 * is unknown.  Warns if `given` and *joined have a key with different values, unless `name` is
 * NULL.
 */
void signature_take(char **joined, const char *given, const char *name);

/* Appends a signature to `out` for printing: control characters and back quotes become '?'. */
void signature_show(const char *signature, struct buf *out);

#endif
