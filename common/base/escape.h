/*
 * escape: prints untrusted text safely to terminals and tables, makes it valid UTF-8, and makes it
 * part of a pattern.
 */
#ifndef ESCAPE_H
#define ESCAPE_H

#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"

/*
 * Writes `s` to `file`.  Control characters (U+0000 to U+001F, U+007F to U+009F) and bytes that are
 * not UTF-8 are written byte by byte as \t, \n, \r or \xNN, so that `s` cannot move the cursor or
 * end a line.  The control characters in `kept` are written unchanged: none, "", for a table cell;
 * "\t\n" for a whole table.
 */
void escape_put(FILE *file, const char *s, const char *kept);
/* Appends `s` to `out` in the same way; no control character is written unchanged. */
void escape_add(struct buf *out, const char *s);

/* Appends `s` to `out` as a pattern of glob() that only `s` matches. */
void escape_glob(struct buf *out, const char *s);

/* Appends the n bytes of text at `s` to `out`; each byte that is not UTF-8 becomes U+FFFD. */
void escape_repair(struct buf *out, const char *s, size_t n);

#endif
