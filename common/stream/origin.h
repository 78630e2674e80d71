/*
 * origin: the keys of a header that say where the values of fields come from.
 *
 * For instance, translate.model is the model that wrote the field hyp, and lrp.rule the method that
 * wrote the fields relevance.SITE.  If a stream takes a field from another stream, it also takes
 * the keys of the field; if a stream loses the field, it also loses the keys.
 */
#ifndef ORIGIN_H
#define ORIGIN_H

#include "stream/header-parts.h"

/*
 * Removes the keys of the field `name` from h, after the field was removed from h.  If `name` is
 * not the main field of its keys, as hyp is of translate.model, and h has another field of them,
 * the keys stay.
 */
void origins_drop(struct header *h, const char *name);

/*
 * Copies the keys of the fields that `other` declares to `joined`.  Call it before these fields are
 * added to `joined`.  If both headers declare a field, `joined` keeps its own keys of this field,
 * and those of `other` must not contradict them, unless `replace` is true: then `joined` gets the
 * keys of `other`, and loses all fields of these keys that `other` does not declare.  Keys that
 * concern all fields, such as HEADER_MODEL (stream.h), and those of languages must never contradict
 * each other; `joined` gets those that it lacks.  Returns -1 with EXIT_INPUT if keys contradict
 * each other; the message does not name the stream.
 *
 * Sets *moved to the set of fields that both headers declare with different keys.  origins_moved()
 * returns whether the field `name`, of n bytes, is in this set.  The joined keys describe the
 * values of only one of the two streams for such a field.  A record without a value from this
 * stream must therefore not get the value from the other stream.
 */
int origins_join(struct header *joined, const struct header *other, bool replace, unsigned *moved,
		 struct err *e) MUST_USE;
bool origins_moved(unsigned moved, const char *name, size_t n);

/*
 * Checks that the keys in header `a` also describe the fields of a stream with header `b`, which is
 * appended to the stream with header `a`.  Returns -1 with EXIT_INPUT if they do not.
 */
int origins_continue(const struct header *a, const struct header *b, struct err *e) MUST_USE;

#endif
