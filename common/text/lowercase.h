/* lowercase: converts text to lower case, by the Unicode character database. */
#ifndef LOWERCASE_H
#define LOWERCASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Appends s, which is valid UTF-8, in lower case, exactly as Python's str.lower(): with full
 * mappings (U+0130 becomes two code points) and the rule for the final sigma.
 */
void lowercase(const char *s, size_t n, struct buf *out);

/* Converts only A to Z, in place, as Perl does for bytes. */
void lowercase_ascii(char *s, size_t n);

/* Every step-th code point c from first to last becomes c + delta. */
struct lowercase_range { int32_t first, last, step, delta; };
extern const struct lowercase_range lowercase_table[];
extern const size_t lowercase_table_n;

/* Sorted code points at which a property alternately begins and ends. */
extern const int32_t lowercase_cased[], lowercase_ignorable[];
extern const size_t lowercase_cased_n, lowercase_ignorable_n;

#endif
