/* unpack: decompresses gz, xz, zstd and bz2 data, with libarchive. */
#ifndef UNPACK_H
#define UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"
#include "stream/raw.h"

struct unpack;

enum unpack_verdict { UNPACK_NO, UNPACK_YES, UNPACK_UNSURE };

/* Do the first n bytes of a file show that it is compressed?  UNPACK_UNSURE: needs more bytes. */
enum unpack_verdict unpack_is(const char *p, size_t n);

/*
 * Reads from r, which the caller owns; `name` is for messages.  Sets *u to NULL if the first bytes
 * of r do not show that it is compressed.
 */
int unpack_open(struct unpack **u, struct raw *r, const char *name, struct err *e) MUST_USE;
/*
 * Reads decompressed data, or bytes of r if u is NULL; the result is that of read(2).  At the end
 * of the data, their checksum is checked; a file of several gzip members has no such check.
 */
ptrdiff_t unpack_read(struct unpack *u, struct raw *r, const char *name, void *p, size_t n,
		      struct err *e) MUST_USE;
void unpack_close(struct unpack *u);		/* u may be NULL */

#endif
