/*
 * archive: members of tar and other archives; the only header over libarchive
 * besides input.h.  Reading takes tar, zip, ar, cpio and 7z; writing makes plain
 * pax tars with fixed times and owners, so that the same members give the same bytes.
 */
#ifndef HEED_ARCHIVE_H
#define HEED_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

struct archive_in;
struct archive_out;

/*
 * Reads the members of path in order; a .deb's data.tar is entered by itself.
 * archive_in_next(): 1 and a regular file's name and size (-1 if unknown), 0 at
 * the end, -1 on error.  Names are without a leading "./" and live until the next call.
 * A hard link has a name and no bytes: to read it is an error, which names its target.
 */
struct archive_in *archive_in_open(const char *path, struct err *e) MUST_USE;
/* The same over bytes in memory, which stay the caller's. */
struct archive_in *archive_in_memory(const char *name, const void *p, size_t n,
				     struct err *e) MUST_USE;
int archive_in_next(struct archive_in *a, const char **name, int64_t *size, struct err *e) MUST_USE;
/* Bytes of this member; 0 at its end. */
ptrdiff_t archive_in_read(struct archive_in *a, void *p, size_t n, struct err *e) MUST_USE;
/* The whole member, malloc'ed in steps as bytes arrive, NUL-terminated; at most limit bytes. */
char *archive_in_all(struct archive_in *a, size_t limit, size_t *n, struct err *e) MUST_USE;
void archive_in_close(struct archive_in *a);

/* Writes under a temporary name; output.h's promises on finish and abandon. */
struct archive_out *archive_out_open(const char *path, struct err *e) MUST_USE;
int archive_out_member(struct archive_out *a, const char *name, const void *p, size_t n,
		       struct err *e) MUST_USE;
/* The same in pieces: begin with the whole size, then exactly that many bytes. */
int archive_out_begin(struct archive_out *a, const char *name, size_t n, struct err *e) MUST_USE;
int archive_out_data(struct archive_out *a, const void *p, size_t n, struct err *e) MUST_USE;
int archive_out_finish(struct archive_out *a, struct err *e) MUST_USE;
void archive_out_abandon(struct archive_out *a);

#endif
