/*
 * output: buffered output files that appear under their name only when they are complete.
 *
 * A file is written under a temporary name in the same folder, after temporary files that killed
 * processes have left there are removed (temporary.h).  output_finish() flushes, syncs, renames,
 * and syncs the folder.  A path of NULL or "-" is standard output, which output_finish() flushes
 * and checks.
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
	OUTPUT_BINARY = 1,	/* refuse to write to a terminal, with EXIT_USAGE, ... */
	OUTPUT_FORCE  = 2	/* ... unless this is set as well */
};

/*
 * Checks at the start of a long run that a file can be written under this name.  Returns -1 and
 * EXIT_SYSTEM if the folder does not exist or is not writable, or if `path` is a folder itself.
 */
int output_check(const char *path, struct err *e) MUST_USE;
/*
 * Whether writing one path replaces the other: both are the same regular file, or will be.  False
 * for devices, and for "-", which is standard input or output.
 */
bool output_same(const char *a, const char *b);
/* The last component of `path`: a pointer into path, to what follows its last slash. */
const char *path_name(const char *path);
/* The folder of `path`, with a slash at its end; "./" without a slash.  The caller frees it. */
char *path_folder(const char *path);
/* The file `name` in the folder of `path`; only the name without a slash.  The caller frees it. */
char *path_beside(const char *path, const char *name);

/*
 * output_open() returns NULL with EXIT_SYSTEM if the file cannot be written, or with EXIT_USAGE if
 * `flags` refuse a terminal.  output_write(), output_printf() and output_flush() return -1 with
 * EXIT_SYSTEM on failure; output_abandon() must then follow.  Data is buffered until output_flush()
 * or output_finish().
 */
struct output *output_open(const char *path, unsigned flags, struct err *e) MUST_USE;
int output_write(struct output *o, const void *p, size_t n, struct err *e) MUST_USE;
int output_printf(struct output *o, struct err *e, const char *fmt, ...) PRINTF_LIKE(3, 4) MUST_USE;
int output_flush(struct output *o, struct err *e) MUST_USE;	/* for interactive use */
uint64_t output_bytes(const struct output *o);			/* bytes written so far */

/*
 * output_finish() completes the file, or removes the temporary file and returns -1 with
 * EXIT_SYSTEM.  output_abandon() removes the temporary file, and accepts NULL.  Both free o in any
 * case.
 */
int output_finish(struct output *o, struct err *e) MUST_USE;
void output_abandon(struct output *o);

/*
 * outputs_finish() is output_finish() for n files that belong together: the first gets its name
 * when all are on disk, so that a full disk replaces none.  It frees all and sets them to NULL,
 * also after an error.  outputs_settle() only puts them on disk; they remain open, also after an
 * error.  Both return -1 with EXIT_SYSTEM on failure.
 */
int outputs_finish(struct output **o, size_t n, struct err *e) MUST_USE;
int outputs_settle(struct output *const *o, size_t n, struct err *e) MUST_USE;

/*
 * Writes a file with these n bytes: output_open(), output_write() and output_finish(), whose errors
 * it returns, or output_abandon() after an error.
 */
int output_all(const char *path, unsigned flags, const void *p, size_t n, struct err *e) MUST_USE;

#endif
