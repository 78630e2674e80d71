/*
 * seal: sums and counts that fit damaged contents, so that fuzzing reaches what they guard.
 *
 * No sum makes a file trustworthy: whoever makes a hostile one writes the right sums.  What is made
 * here stays damaged in every other way.
 */
#ifndef SEAL_H
#define SEAL_H

#include <stddef.h>

#include "base/buf.h"

/*
 * A stream: the objects of p[n] as they are, a header of no fields in front if the first is none,
 * and before each further header and at the end an end record with the right count and sum.  End
 * records in p are left out, and so is all that follows an object that is not whole.
 */
void seal_stream(const void *p, size_t n, struct buf *out);

/*
 * A bundle (model/bundle.h): p[n] are members, each a line "==NAME" and its bytes up to the next
 * such line, first the map.  Rows of the map's table get the sizes and sums of the members in
 * their places; headers of a tar, padding and `end` are added.  members.sh makes such a file from
 * a bundle.
 */
void seal_bundle(const void *p, size_t n, struct buf *out);

#endif
