/*
 * tar-check: is every byte of a tar accounted for?  libarchive forgives much: what
 * stands between members, and a missing end.  Here headers must carry their sum,
 * padding must be zero, every member must be a plain file without extended headers, and two
 * blocks of zeros must close the archive.
 */
#ifndef TAR_CHECK_H
#define TAR_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* On error *truncated says whether bytes are missing at the end, as far as can be seen. */
int tar_check(const void *p, size_t n, bool *truncated, struct err *e);

#endif
