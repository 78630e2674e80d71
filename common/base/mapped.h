/*
 * mapped: files that are mapped into memory and read there.
 *
 * If another process truncates the file, or its disk fails, reading the memory raises SIGBUS.  The
 * process then reports that the file cannot be read, removes its temporary files (temporary.h) and
 * exits with EXIT_SYSTEM, as after a read() that fails.  This holds for at most 256 files at a
 * time; with others, SIGBUS kills the process.
 */
#ifndef MAPPED_H
#define MAPPED_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

/*
 * Maps the first n > 0 bytes of the open file `fd`, which may then be closed.  `name` is the name
 * of the file for messages.  Returns the read-only memory, which is valid until mapped_close() with
 * the same n; or NULL with EXIT_SYSTEM.
 */
void *mapped_open(int fd, size_t n, const char *name, struct err *e) MUST_USE;
void mapped_close(void *p, size_t n);
/*
 * Releases the memory of bytes [from, to) of a mapping p, except on pages that also have other
 * bytes.  These bytes can still be read: the system then reads them from the file again.
 */
void mapped_done(void *p, size_t from, size_t to);

#endif
