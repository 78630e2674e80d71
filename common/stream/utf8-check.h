/* utf8-check: is this text UTF-8?  Fast over ASCII, because every line of every corpus passes here. */
#ifndef UTF8_CHECK_H
#define UTF8_CHECK_H

#include <stddef.h>

/*
 * Offset of the first byte that is not part of a well-formed sequence (Unicode
 * 15, table 3-7: no surrogates, no overlong forms, at most U+10FFFF), or n.
 */
size_t utf8_wrong(const char *s, size_t n);

#endif
