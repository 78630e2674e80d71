/* markdown: writes cells of Markdown tables. */
#ifndef MARKDOWN_H
#define MARKDOWN_H

#include <stddef.h>

#include "base/buf.h"

/* Appends n bytes as a cell or a part of one; escapes bars and backslashes by a backslash. */
void markdown_cell(struct buf *out, const char *s, size_t n);

#endif
