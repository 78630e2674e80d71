/*
 * compress: an output file that is compressed with zstd.
 *
 * As with output.h, the file appears under its name only when it is complete.  The functions of
 * input.h decompress such files automatically.
 */
#ifndef COMPRESS_H
#define COMPRESS_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/err.h"

struct compress;

/*
 * These are the functions output_open(), output_write(), output_finish() and output_abandon() of
 * output.h, with the same parameters, errors and results, for a compressed file.
 */
struct compress *compress_open(const char *path, unsigned flags, struct err *e) MUST_USE;
int compress_write(struct compress *c, const void *p, size_t n, struct err *e) MUST_USE;
int compress_finish(struct compress *c, struct err *e) MUST_USE;	/* frees c in any case */
void compress_abandon(struct compress *c);		/* c may be NULL */

#endif
