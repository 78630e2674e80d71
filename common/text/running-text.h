/*
 * running-text: text gathered from markup: white space of any kind is one blank, and characters that
 * are there for line breaks and direction alone (soft hyphens, zero-width blanks) are dropped.
 */
#ifndef RUNNING_TEXT_H
#define RUNNING_TEXT_H

#include <stddef.h>

#include "base/buf.h"

/* Adds n bytes of UTF-8; bytes that are none become a blank. */
void running_text_add(struct buf *out, const char *s, size_t n);

/* A blank, unless out is empty or ends with one. */
void running_text_blank(struct buf *out);

/* Drops the blank at the end, if there is one. */
void running_text_trim(struct buf *out);

#endif
