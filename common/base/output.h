/*
 * output: where results go; under their name only when they are complete.
 *
 * A file is written under a temporary name in the same folder, where strays of killed
 * processes are removed first (stray.h); output_finish() flushes, syncs, renames and
 * syncs the folder.  A path of NULL or "-" is
 * standard output, flushed and checked by output_finish().
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

struct output;

enum {
	OUTPUT_BINARY = 1,	/* refuse a terminal ... */
	OUTPUT_FORCE  = 2	/* ... unless told to */
};

/*
 * Could a file be written under this name?  For those who will only in hours: -1 and EXIT_SYSTEM if
 * its folder is not there, or not ours to write in, or if it is a folder itself.
 */
int output_check(const char *path, struct err *e) MUST_USE;

struct output *output_open(const char *path, unsigned flags, struct err *e) MUST_USE;
int output_write(struct output *o, const void *p, size_t n, struct err *e) MUST_USE;
int output_printf(struct output *o, struct err *e, const char *fmt, ...) PRINTF_LIKE(3, 4) MUST_USE;
int output_flush(struct output *o, struct err *e) MUST_USE;	/* for interactive use */
uint64_t output_bytes(const struct output *o);			/* written so far */

/* The only way to succeed; frees o in any case. */
int output_finish(struct output *o, struct err *e) MUST_USE;
void output_abandon(struct output *o);		/* its temporary file goes; NULL is fine */

#endif
