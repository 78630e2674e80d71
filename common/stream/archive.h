/*
 * archive: reads and writes members of archives, with libarchive.
 *
 * Archives in the formats tar, zip, ar, cpio and 7z are read; tar, ar and cpio may be compressed
 * (unpack.h).  Uncompressed pax tar and zip files are written, with fixed times and owners, so that
 * the same members give the same bytes; and files without members that are compressed with zstd.
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
 * Opens the archive at `path`, or standard input for NULL and "-", whose members are then read in
 * order.  In a .deb package, the members of data.tar are read in its place.  Returns NULL with
 * EXIT_SYSTEM if the file cannot be opened, and with EXIT_INPUT if it is not an archive.
 *
 * archive_in_next() goes to the next regular file.  It returns 1 and sets *name and *size, 0 at the
 * end of the archive, and -1 on error.  *size is in bytes, or -1 if unknown.  Names have no leading
 * "./" and are valid until the next call.  A hard link has no data: reading it is an error whose
 * message names the target of the link.
 */
struct archive_in *archive_in_open(const char *path, struct err *e) MUST_USE;
/*
 * Like archive_in_open(), for an archive of n bytes at p, which are not copied and must outlive
 * `a`.  `name` is the name of the archive for messages.
 */
struct archive_in *archive_in_memory(const char *name, const void *p, size_t n,
				     struct err *e) MUST_USE;
int archive_in_next(struct archive_in *a, const char **name, int64_t *size, struct err *e) MUST_USE;
/*
 * Reads up to n bytes of the current member.  Returns their number, 0 at the end of the member, or
 * -1 with EXIT_INPUT if the archive is damaged.
 */
ptrdiff_t archive_in_read(struct archive_in *a, void *p, size_t n, struct err *e) MUST_USE;
/*
 * Returns the contents of the current member, and sets *n to their size; a NUL byte follows.  The
 * caller frees them.  Returns NULL with EXIT_INPUT if the archive is damaged, or the member has
 * more than `limit` bytes.  Memory grows with the bytes that arrive, not with the size that the
 * archive claims.
 */
char *archive_in_all(struct archive_in *a, size_t limit, size_t *n, struct err *e) MUST_USE;
void archive_in_close(struct archive_in *a);

/*
 * Opens a pax tar for writing, under a temporary name.  archive_out_finish() and
 * archive_out_abandon() are like output_finish() and output_abandon() (output.h).
 */
struct archive_out *archive_out_open(const char *path, struct err *e) MUST_USE;
/*
 * Opens a zip file for writing, whose members are not compressed.  `flags` are those of
 * output_open() (output.h).
 */
struct archive_out *archive_out_zip(const char *path, unsigned flags, struct err *e) MUST_USE;
/*
 * Opens a file that is compressed with zstd, to which archive_out_data() adds any number of bytes.
 * `flags` are those of output_open() (output.h).
 */
struct archive_out *archive_out_zstd(const char *path, unsigned flags, struct err *e) MUST_USE;
/* Adds a member with n bytes at p. */
int archive_out_member(struct archive_out *a, const char *name, const void *p, size_t n,
		       struct err *e) MUST_USE;
/*
 * Add a member in parts.  archive_out_begin() begins a member of n bytes; calls of
 * archive_out_data() then add exactly n bytes.
 */
int archive_out_begin(struct archive_out *a, const char *name, size_t n, struct err *e) MUST_USE;
int archive_out_data(struct archive_out *a, const void *p, size_t n, struct err *e) MUST_USE;
int archive_out_finish(struct archive_out *a, struct err *e) MUST_USE;
void archive_out_abandon(struct archive_out *a);

#endif
