/* utf8: Unicode scalar values in and out of bytes; strict (no surrogates, no overlong forms, at most U+10FFFF). */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The code point at s (n > 0 bytes there) and in *len its length; -1 and *len 1 if invalid. */
int32_t utf8_next(const char *s, size_t n, size_t *len);

/* Length in bytes of c, written to out (room for 4). */
size_t utf8_put(int32_t c, char *out);

/*
 * Offset of the first byte that is not part of a well-formed sequence (Unicode 15, table 3-7), or n.
 * Fast over ASCII, because every line of every corpus passes here.
 */
size_t utf8_check(const char *s, size_t n);

/* The same for text, in which a NUL byte is wrong, too. */
size_t utf8_text(const char *s, size_t n);

#endif
