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
 * Returns the code point that begins at s, where n > 0 bytes are available, and sets *len to the
 * number of its bytes.  If these bytes are not valid UTF-8, returns -1 and sets *len to 1.
 */
int32_t utf8_next(const char *s, size_t n, size_t *len);

/*
 * Writes the code point c to `out`, which has room for 4 bytes, without a NUL byte.  Returns the
 * number of bytes written.
 */
size_t utf8_put(int32_t c, char *out);

/*
 * Returns the offset of the first of the n bytes at s that is not part of a well-formed sequence
 * (Unicode 15, table 3-7), or n if there is no such byte.
 */
size_t utf8_check(const char *s, size_t n);

/* The same, but a NUL byte is invalid, too. */
size_t utf8_text(const char *s, size_t n);

#endif
