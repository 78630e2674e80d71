/*
 * origin: the keys of a header that say where the values of fields come from.
 *
 * translate.model is the model of hyp, for instance, and lrp.rule the method of the fields
 * relevance.SITE.  A stream that takes a field from another stream takes its keys, too, and a
 * stream that loses the field loses them.
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "stream/header-parts.h"

/* Removes the keys of the field of this name, which h no longer declares. */
void origins_drop(struct header *h, const char *name);

/*
 * Copies the keys of the fields that `other` declares to `joined`, before `joined` declares these
 * fields.  If both declare a field, its keys must not contradict each other, unless `replace` is
 * set; then fields of the same keys that only `joined` has are dropped.  Keys of all fields, such
 * as the model of heads, must never contradict each other.  Returns -1 with EXIT_INPUT if they do;
 * the message does not name the stream.
 *
 * Stores in *moved the set of fields for which both streams have different keys; origins_moved()
 * returns whether a field is in it.  If a record of one stream lacks such a field, it must not get
 * the value of the other stream, which the keys do not describe.
 */
int origins_join(struct header *joined, const struct header *other, bool replace, unsigned *moved,
		 struct err *e) MUST_USE;
bool origins_moved(unsigned moved, const char *name, size_t n);

/*
 * Checks that the keys in header `a` also describe a stream with header `b` that is appended to it.
 * Returns -1 with EXIT_INPUT if they do not.
 */
int origins_continue(const struct header *a, const struct header *b, struct err *e) MUST_USE;

#endif
