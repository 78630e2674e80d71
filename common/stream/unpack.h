/* unpack: decompresses gz, xz, zstd and bz2 data, with libarchive. */
#ifndef UNPACK_H
#define UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"
#include "stream/raw.h"

struct unpack;

/*
 * Opens a decompressor of the data in r, which must outlive it.  Sets *u to NULL if the first bytes
 * of r show no known compression.  `name` is the name of r for messages, and must also outlive it.
 * Returns 0, or -1 with an error if r cannot be read or decompressed.
 */
int unpack_open(struct unpack **u, struct raw *r, const char *name, struct err *e) MUST_USE;
/*
 * Reads up to n bytes of decompressed data or, if u is NULL, of r.  Returns their number, 0 at the
 * end, or -1 with an error.  At the end of the data, their checksum is checked, except in a file of
 * several gzip members.
 */
ptrdiff_t unpack_read(struct unpack *u, struct raw *r, const char *name, void *p, size_t n,
		      struct err *e) MUST_USE;
void unpack_close(struct unpack *u);		/* u may be NULL */

#endif
