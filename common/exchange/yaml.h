/*
 * yaml: reads the part of YAML that conf.h describes, in which Marian writes settings and
 * vocabularies.
 */
#ifndef YAML_H
#define YAML_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Reads a file with one document, the `n` bytes at `s`, which a NUL byte must follow, and appends
 * its contents to `out` as msgpack.  Scalars become texts, without quotes and escapes, and
 * missing values become nil.  Returns -1 with EXIT_INPUT for a malformed file; the message names
 * the line.
 */
int yaml_read(const char *s, size_t n, struct buf *out, struct err *e) MUST_USE;

#endif
