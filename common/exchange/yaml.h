/*
 * yaml: reads the part of YAML in which the settings and vocabularies of Marian are written; see
 * conf.h.
 */
#ifndef YAML_H
#define YAML_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Adds to `out` the msgpack of the one document in the n bytes at s, which a NUL byte must follow.
 * Scalars become texts, as they are written, and missing values become nil.  Errors name the line.
 */
int yaml_read(const char *s, size_t n, struct buf *out, struct err *e) MUST_USE;

#endif
