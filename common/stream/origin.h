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

/* Removes the keys of fields that h no longer declares; called after a field was dropped. */
void origins_drop(struct header *h);

/*
 * Takes the keys of the fields that `from` declares, before `to` declares these.  If both declare a
 * field, its keys must not contradict each other, unless replace is set.  Keys of all fields, such
 * as the model of heads, must never do so.  Returns -1 with EXIT_INPUT if they do; the message does
 * not name the stream.
 */
int origins_join(struct header *to, const struct header *from, bool replace,
		 struct err *e) MUST_USE;

/*
 * Checks that what the header of a stream tells is true of one with header b that follows.  Returns
 * -1 with EXIT_INPUT if not.
 */
int origins_continue(const struct header *a, const struct header *b, struct err *e) MUST_USE;

#endif
