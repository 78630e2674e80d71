/*
 * mapped: files in memory.
 *
 * If another process truncates the file, or its disk fails, reading the memory raises SIGBUS.  The
 * process then reports that the file cannot be read, removes its temporary files (temporary.h) and
 * exits with EXIT_SYSTEM, as after a read() that fails.
 */
#ifndef MAPPED_H
#define MAPPED_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

/*
 * Maps the first n bytes of an open file, which may then be closed; n > 0.  `name`: for messages.
 * The memory is read-only, and ends with mapped_close().
 */
void *mapped_open(int fd, size_t n, const char *name, struct err *e) MUST_USE;
void mapped_close(void *p, size_t n);
/*
 * Frees the memory of bytes [from, to), which have been read, except for pages with other bytes.
 * They can be read again.
 */
void mapped_done(void *p, size_t from, size_t to);

#endif
