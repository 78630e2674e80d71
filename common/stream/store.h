/*
 * store: random access to the records of a stream, for training and sampling.
 *
 * An uncompressed file is mapped into memory.  A stream from a pipe or an archive, or a
 * compressed one, is first copied to an unlinked temporary file in $TMPDIR.  Opening reads and
 * checks the whole stream once, including its end record.  The index needs eight bytes per
 * record; the records themselves are not copied into memory.
 *
 * A mapped file must keep its contents.  A file that is replaced (rename) does; a changed size is
 * an error.  If a file is truncated while a record is being read, the process ends with EXIT_SYSTEM
 * (base/mapped.h).
 */
#ifndef STORE_H
#define STORE_H

#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "stream/stream.h"

struct store;

/*
 * Called for each record in order by store_open(), for instance to collect lengths.  `number`
 * counts from 0.  The record is valid until the call returns.  A return of -1 makes store_open()
 * fail, which adds the number of the record to the message.
 */
typedef int store_each(const struct record *rec, int64_t number, void *arg, struct err *e);

/* kind, needs and flags are those of reader_open(); `each` may be NULL. */
struct store *store_open(const char *path, const char *kind, const struct field *needs,
			 unsigned flags, store_each *each, void *arg, struct err *e) MUST_USE;
void store_close(struct store *s);		/* s may be NULL */

/* The header of the stream, which belongs to s, and the number of its records. */
const struct header *store_header(const struct store *s);
int64_t store_count(const struct store *s);

/*
 * Decodes record i, from 0, into rec, which the caller has made by record_new() and which then
 * points into the store.  All records were checked by store_open(), so this fails only if the
 * file has changed since.  Several threads may call it at the same time, each with its own
 * record.
 */
int store_record(const struct store *s, int64_t i, struct record *rec, struct err *e) MUST_USE;

#endif
