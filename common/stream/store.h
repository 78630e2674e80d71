/*
 * store: the records of a stream in any order, for training and sampling.
 *
 * An uncompressed stream in a file is mapped; one from a pipe, from an archive or
 * compressed is first spooled to an unlinked temporary file in $TMPDIR.  Opening
 * reads everything once and checks it, counts and sums too.  The index costs
 * eight bytes a record; the records cost no memory of ours.
 */
#ifndef STORE_H
#define STORE_H

#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"
#include "stream/stream.h"

struct store;

/*
 * Called for each record in order while a store opens, so that the caller can
 * collect lengths; number counts from 0.  The record lives until the call
 * returns.  -1 and e make store_open() fail; it adds where that was.
 */
typedef int store_each(const struct record *rec, int64_t number, void *arg, struct err *e);

/* kind, needs and flags as for reader_open(); each may be NULL. */
struct store *store_open(const char *path, const char *kind, const struct field *needs,
			 unsigned flags, store_each *each, void *arg, struct err *e) MUST_USE;
void store_close(struct store *s);		/* NULL is fine */

const struct header *store_header(const struct store *s);
int64_t store_count(const struct store *s);

/*
 * Decodes record i, from 0, into rec, which is the caller's (record_new()) and points
 * into the store.  It was checked on opening, so that only a file changed since then
 * fails.  Threads may do this at the same time, each with a record of its own.
 */
int store_record(const struct store *s, int64_t i, struct record *rec, struct err *e) MUST_USE;

#endif
