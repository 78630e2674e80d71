/*
 * signature: the settings with which the measures in a stream were computed, in the key
 * HEADER_SIGNATURE of its header.
 *
 * It has parts of a key and a value, as in "heed|target:ref|unit:word|sentences:100".  Numbers are
 * not comparable if a part that both signatures have differs.  Only the first SIGNATURE_MAX bytes
 * of a signature count.
 */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include <stdbool.h>

#include "base/buf.h"

/* The key of the signature in a stream of heads or of curves. */
#define HEADER_SIGNATURE "signature"
enum { SIGNATURE_MAX = 4096 };

/*
 * Appends the parts that differ, as "target:hyp and not target:ref", where the first value is that
 * of b.  Returns whether any part differs.  Control characters become '?'.
 */
bool signature_differs(const char *a, const char *b, struct buf *out);
/*
 * Appends "|key:value", with '?' in place of control characters and bars, and at most the first
 * 100 bytes of the value.
 */
void signature_add(struct buf *signature, const char *key, const char *value);
/*
 * Appends a with the parts that only b has.  A part that differs gets both values, as in
 * "target:ref+hyp".
 */
void signature_join(const char *a, const char *b, struct buf *out);

/*
 * Joins the signatures of several files in *joined, which is NULL before the first one; the caller
 * frees it.  `given` is the signature of the file `name`, or NULL if it is unknown.  Warns if it
 * differs from those before.
 */
void signature_take(char **joined, const char *given, const char *name);

/* Appends a signature as text, with '?' in place of control characters and back quotes. */
void signature_show(const char *signature, struct buf *out);

#endif
