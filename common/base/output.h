/*
 * output: buffered output files that appear under their name only when they are complete.
 *
 * A file is written under a temporary name in the same folder.  output_finish() flushes and syncs
 * it, renames it, and syncs the folder.  Temporary files that killed processes have left for the
 * same path are removed first (temporary.h).  A path of NULL or "-" is standard output, which
 * output_finish() flushes.  Devices, pipes and names such as /dev/stdout are written in place.  If
 * the path is a symbolic link, its target is written.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

struct output;

enum {
	OUTPUT_BINARY = 1,	/* refuse a terminal as standard output, with EXIT_USAGE, ... */
	OUTPUT_FORCE  = 2	/* ... unless this is set as well */
};

/*
 * Checks, at the start of a long run, that a file can later be written under the name `path`.
 * Returns -1 with EXIT_SYSTEM if its folder does not exist or is not writable, or if `path` itself
 * is a folder.
 */
int output_check(const char *path, struct err *e) MUST_USE;
/*
 * Returns true if a file written under one path replaces that of the other: both are the same
 * regular file, or will be.  Returns false for devices, and for "-", which is standard input or
 * output.
 */
bool output_same(const char *a, const char *b);
/*
 * Returns the last component of `path`: a pointer to the character of `path` after its last slash.
 */
const char *path_name(const char *path);
/*
 * Returns the folder of `path`, with a slash at its end; "./" if `path` has no slash.  The caller
 * frees the string.
 */
char *path_folder(const char *path);
/*
 * Returns the path of file `name` in the folder of `path`; only `name` if `path` has no slash.  The
 * caller frees the string.
 */
char *path_beside(const char *path, const char *name);

/*
 * output_open() returns NULL with EXIT_SYSTEM if the file cannot be written, or with EXIT_USAGE if
 * `flags` refuse a terminal.  output_write(), output_printf() and output_flush() return -1 with
 * EXIT_SYSTEM on failure; output_abandon() must then follow.  Data is buffered until 128 KiB have
 * accumulated, or until output_flush() or output_finish().
 */
struct output *output_open(const char *path, unsigned flags, struct err *e) MUST_USE;
int output_write(struct output *o, const void *p, size_t n, struct err *e) MUST_USE;
int output_printf(struct output *o, struct err *e, const char *fmt, ...) PRINTF_LIKE(3, 4) MUST_USE;
int output_flush(struct output *o, struct err *e) MUST_USE;	/* for interactive use */
uint64_t output_bytes(const struct output *o);	/* bytes written so far, even if buffered */

/*
 * output_finish() completes the file, or removes the temporary file and returns -1 with
 * EXIT_SYSTEM.  If only the folder cannot be synced, it returns -1, but the file is in place.
 * output_abandon() removes the temporary file, and accepts NULL.  Both free o in any
 * case.  output_end() is output_finish() or, if an error has occurred (`bad`), output_abandon();
 * it returns -1 with the error of either.
 */
int output_finish(struct output *o, struct err *e) MUST_USE;
void output_abandon(struct output *o);
int output_end(struct output *o, int bad, struct err *e) MUST_USE;

/*
 * outputs_finish() is output_finish() for n files that belong together.  It renames no file before
 * all files are on disk, so that no file is replaced if the disk is full.  It frees all outputs and
 * sets the n pointers to NULL, also after an error.  outputs_settle() only flushes and syncs the
 * files, which remain open, also after an error.  Both return -1 with EXIT_SYSTEM on failure.
 */
int outputs_finish(struct output **o, size_t n, struct err *e) MUST_USE;
int outputs_settle(struct output *const *o, size_t n, struct err *e) MUST_USE;

/*
 * Writes a file with the n bytes at p.  Calls output_open(), output_write() and output_finish(); if
 * one of them fails, returns -1 with its error, and leaves no temporary file.
 */
int output_all(const char *path, unsigned flags, const void *p, size_t n, struct err *e) MUST_USE;
/* Writes a file with the contents of `text` as output_all() does, and releases `text`. */
struct buf;
int output_text(const char *path, struct buf *text, struct err *e) MUST_USE;

#endif
