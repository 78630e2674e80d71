/*
 * archive: reads and writes members of archives, with libarchive.
 *
 * It reads tar, zip, ar, cpio and 7z.  It writes uncompressed pax tar and zip files with fixed
 * times and owners, so that the same members give the same bytes.
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
 * Reads the members of `path` in order.  In a .deb package, these are the members of data.tar.
 *
 * archive_in_next() returns 1 and the name and size of the next regular file (size -1 if unknown),
 * 0 at the end, and -1 on error.  Names have no leading "./" and are valid until the next call.  A
 * hard link has no data: reading it is an error whose message names the target.
 */
struct archive_in *archive_in_open(const char *path, struct err *e) MUST_USE;
/* The same for bytes in memory, which the caller owns. */
struct archive_in *archive_in_memory(const char *name, const void *p, size_t n,
				     struct err *e) MUST_USE;
int archive_in_next(struct archive_in *a, const char **name, int64_t *size, struct err *e) MUST_USE;
/* Reads up to n bytes of the current member; 0 at its end, -1 on error. */
ptrdiff_t archive_in_read(struct archive_in *a, void *p, size_t n, struct err *e) MUST_USE;
/*
 * Returns the whole member, at most `limit` bytes, with a NUL byte after its *n bytes; the caller
 * frees it.  Memory grows with the bytes that arrive.
 */
char *archive_in_all(struct archive_in *a, size_t limit, size_t *n, struct err *e) MUST_USE;
void archive_in_close(struct archive_in *a);

/* Writes a pax tar under a temporary name; finish and abandon work as in output.h. */
struct archive_out *archive_out_open(const char *path, struct err *e) MUST_USE;
/* A zip whose members are stored; `flags` are those of output_open(). */
struct archive_out *archive_out_zip(const char *path, unsigned flags, struct err *e) MUST_USE;
int archive_out_member(struct archive_out *a, const char *name, const void *p, size_t n,
		       struct err *e) MUST_USE;
/* The same in parts: begin with the size n, then add exactly n bytes. */
int archive_out_begin(struct archive_out *a, const char *name, size_t n, struct err *e) MUST_USE;
int archive_out_data(struct archive_out *a, const void *p, size_t n, struct err *e) MUST_USE;
int archive_out_finish(struct archive_out *a, struct err *e) MUST_USE;
void archive_out_abandon(struct archive_out *a);

#endif
