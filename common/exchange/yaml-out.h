/*
 * yaml-out: writes texts in YAML.
 */
#ifndef YAML_OUT_H
#define YAML_OUT_H

#include <stddef.h>

#include "base/buf.h"

/*
 * Appends n bytes of valid UTF-8 in quotes, with the escapes of JSON.  Characters that YAML does
 * not allow in a file, or takes as line ends, are escaped, too.
 */
void yaml_add_string(struct buf *out, const char *s, size_t n);

#endif
