/*
 * utf8: strict UTF-8 encoding and decoding.
 *
 * Surrogates, overlong forms and values above U+10FFFF are invalid.
 */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the code point at s, where n > 0 bytes are available, and stores its length in *len.
 * Returns -1 and sets *len to 1 if it is invalid.
 */
int32_t utf8_next(const char *s, size_t n, size_t *len);

/* Writes c to `out`, which has room for 4 bytes, and returns its length. */
size_t utf8_put(int32_t c, char *out);

/*
 * The offset of the first byte that is not part of a well-formed sequence (Unicode 15, table
 * 3-7), or n.  ASCII is checked eight bytes at a time, because every line of a corpus passes
 * here.
 */
size_t utf8_check(const char *s, size_t n);

/* The same for text, where a NUL byte is invalid, too. */
size_t utf8_text(const char *s, size_t n);

#endif
