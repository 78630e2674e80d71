/*
 * origin: the keys of a header that tell where values come from.
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
 * Takes the keys of the fields that other declares, before joined declares these.  If both declare
 * a field, its keys must not contradict each other, unless `replace` is set; then fields of the
 * same keys that only `joined` has are dropped.  Keys of all fields, such as the model of heads,
 * must never contradict each other.  Returns -1 with EXIT_INPUT if they do; the message does not
 * name the stream.
 *
 * Stores in *moved for which fields both streams have keys that are not equal.  If one of these,
 * by origins_moved(), is missing in a record of one stream, that of the other is not what the
 * keys tell.
 */
int origins_join(struct header *joined, const struct header *other, bool replace, unsigned *moved,
		 struct err *e) MUST_USE;
bool origins_moved(unsigned moved, const char *name, size_t n);

/*
 * Checks that what the header of a stream tells is true of one with header b that follows.  Returns
 * -1 with EXIT_INPUT if not.
 */
int origins_continue(const struct header *a, const struct header *b, struct err *e) MUST_USE;

#endif
