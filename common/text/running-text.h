/*
 * running-text: collects plain text from markup.
 *
 * Each sequence of white space becomes one space.  Characters that only control line breaks and
 * direction, such as soft hyphens and zero-width spaces, are removed.
 */
#ifndef RUNNING_TEXT_H
#define RUNNING_TEXT_H

#include <stddef.h>

#include "base/buf.h"

/* Appends n bytes of UTF-8 at s to `out`; invalid bytes count as white space. */
void running_text_add(struct buf *out, const char *s, size_t n);

/* Appends a space, unless `out` is empty or ends with one. */
void running_text_blank(struct buf *out);

/* Removes the space at the end, if there is one. */
void running_text_trim(struct buf *out);

#endif
