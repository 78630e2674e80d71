/* lowercase: text in lower case, by the Unicode character database. */
#ifndef LOWERCASE_H
#define LOWERCASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Appends s, valid UTF-8, in lower case as Python's str.lower() has it: the full
 * mappings (U+0130 becomes two code points) and the rule for the final sigma.
 */
void lowercase(const char *s, size_t n, struct buf *out);

/* Only A to Z, in place: what Perl does to bytes. */
void lowercase_ascii(char *s, size_t n);

/* Capitals from first on, every step-th up to last, become c + delta. */
struct lowercase_range { int32_t first, last, step, delta; };
extern const struct lowercase_range lowercase_table[];
extern const size_t lowercase_table_n;

/* Sorted code points at which a property begins and ends in turn. */
extern const int32_t lowercase_cased[], lowercase_ignorable[];
extern const size_t lowercase_cased_n, lowercase_ignorable_n;

#endif
