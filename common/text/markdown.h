/* markdown: texts in tables of Markdown. */
#ifndef MARKDOWN_H
#define MARKDOWN_H

#include <stddef.h>

#include "base/buf.h"

/*
 * [s, s+n) as (part of) a cell: bars, which would end it, and backslashes have a backslash in
 * front.
 */
void markdown_cell(struct buf *out, const char *s, size_t n);

#endif
