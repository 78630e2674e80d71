/* lowercase: converts text to lower case, by the Unicode character database. */
#ifndef LOWERCASE_H
#define LOWERCASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Appends the n bytes at s, which are valid UTF-8, to `out` in lower case.  The result is that of
 * Python's str.lower(), with full mappings (U+0130 becomes two code points) and the rule for the
 * final sigma.
 */
void lowercase(const char *s, size_t n, struct buf *out);

/* Converts A to Z in the n bytes at s, in place, and no other letters, as Perl does for bytes. */
void lowercase_ascii(char *s, size_t n);

/*
 * Tables for lowercase(), from the Unicode character database.  A range: the code points first,
 * first + step and so on up to last; the lower case of each is the code point plus delta.
 */
struct lowercase_range { int32_t first, last, step, delta; };
extern const struct lowercase_range lowercase_table[];
extern const size_t lowercase_table_n;

/* Sorted code points at which the properties Cased and Case_Ignorable alternately begin and end. */
extern const int32_t lowercase_cased[], lowercase_ignorable[];
extern const size_t lowercase_cased_n, lowercase_ignorable_n;

#endif
