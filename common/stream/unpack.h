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

/* Reads from r, which the caller owns; name is for messages. */
struct unpack *unpack_open(struct raw *r, const char *name, struct err *e) MUST_USE;
ptrdiff_t unpack_read(struct unpack *u, void *p, size_t n, struct err *e) MUST_USE;
void unpack_close(struct unpack *u);

#endif
