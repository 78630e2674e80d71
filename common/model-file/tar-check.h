/*
 * tar-check: checks that every byte of a tar archive is as expected.
 *
 * libarchive ignores bytes between members and accepts an archive without an end.  tar_check()
 * is strict: each header must have the right checksum, a name of at most 100 printable characters,
 * and numbers of octal digits; padding must be zero, every member must be a regular file without
 * extended headers, and two blocks of zeros must end the archive.
 */
#ifndef TAR_CHECK_H
#define TAR_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/*
 * Checks an archive of n bytes at p.  Returns -1 with EXIT_INPUT if it is damaged.  *truncated
 * becomes true if bytes seem to be missing at its end, and false otherwise.
 */
int tar_check(const void *p, size_t n, bool *truncated, struct err *e);

/*
 * The number of bytes that a member with n bytes of contents takes in an archive, with header and
 * padding.
 */
size_t tar_size(size_t n);

#endif
