/*
 * tar-check: is every byte of a tar accounted for?  libarchive forgives much: what
 * stands between members, and a missing end.  Here headers must carry their sum,
 * padding must be zero, and two blocks of zeros must close the file.
 */
#ifndef TAR_CHECK_H
#define TAR_CHECK_H

#include <stddef.h>

#include "base/err.h"

int tar_check(const void *p, size_t n, struct err *e);

#endif
