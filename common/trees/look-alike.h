/* look-alike: words that differ in an error message, but may look the same. */
#ifndef LOOK_ALIKE_H
#define LOOK_ALIKE_H

#include "base/err.h"

/*
 * Adds a hint that names the first characters that differ, unless these are ASCII: words in another
 * Unicode normalization, or with a soft hyphen, look the same.
 */
void hint_look_alike(const char *found, const char *expected, struct err *e);

#endif
