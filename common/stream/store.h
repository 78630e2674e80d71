/*
 * store: random access to the records of a stream, for training and sampling.
 *
 * An uncompressed file is mapped into memory.  A stream that is compressed, or comes from a pipe or
 * an archive, is first copied to an unlinked temporary file in the folder $TMPDIR, or /tmp, and
 * this file is mapped.  store_open() reads and checks the whole stream once, including its end
 * record.  The index of the records takes eight bytes per record; the records themselves are not
 * copied.
 *
 * The contents of a mapped file must not change.  A program that replaces the file by rename(2)
 * does no harm.  If the size of the file changes, store_record() fails.  If the file is truncated
 * while a record is being read, the process exits with EXIT_SYSTEM (base/mapped.h).
 */
#ifndef STORE_H
#define STORE_H

#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "stream/stream.h"

struct store;

/*
 * A function that store_open() calls for each record in order, for instance to collect lengths.
 * `number` counts from 0.  The record is valid until the function returns.  It returns 0, or -1
 * with an error, which makes store_open() fail; store_open() adds the place of the record to the
 * message.
 */
typedef int store_each(const struct record *rec, int64_t number, void *arg, struct err *e);

/*
 * Opens the stream at `path`.  `kind`, `needs` and `flags` are those of reader_open() (stream.h).
 * `each` is called with `arg`, and may be NULL.  Returns NULL with the error of reader_open(),
 * reader_next() or `each`, or with EXIT_SYSTEM if the temporary file cannot be written.
 */
struct store *store_open(const char *path, const char *kind, const struct field *needs,
			 unsigned flags, store_each *each, void *arg, struct err *e) MUST_USE;
void store_close(struct store *s);		/* s may be NULL */

/*
 * store_header() returns the header of the stream, which belongs to s; store_count() returns the
 * number of records.
 */
const struct header *store_header(const struct store *s);
int64_t store_count(const struct store *s);

/*
 * Sets rec, which the caller has made by record_new(), to record i, from 0.  The record points into
 * the store, and is valid until store_close().  Returns -1 with EXIT_INPUT only if the file has
 * changed since store_open(), which has checked all records.  Several threads may call the function
 * at the same time, each with its own rec.
 */
int store_record(const struct store *s, int64_t i, struct record *rec, struct err *e) MUST_USE;

#endif
