/* record-parts: how a record is made, for the files of this folder. */
#ifndef RECORD_PARTS_H
#define RECORD_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "stream/stream.h"
#include "stream/type.h"

#define RECORD_FIELDS 1024	/* at most */

struct cell {
	const char *name;
	size_t name_n;
	const uint8_t *key;		/* the encoded name; the value follows it at once */
	const uint8_t *value;
	size_t value_n;
	int declared;			/* its number in the header, or -1 */
	int tensor;			/* enum tensor_type where we know it, or -1 */
	bool nan;			/* set by this program, to what has a NaN in it */
	const void *list;		/* decoded by record_strs() or record_ints() */
	size_t list_n;
	enum type_base list_base;
};

struct record {
	struct cell *cell;
	size_t n, room;
	const uint8_t *whole;		/* the bytes it was read from, until it is changed */
	size_t whole_n;
	const struct header *header;	/* of the stream it came from, or NULL */
	struct arena mem;		/* what was set or decoded */
	struct buf scratch;
};

/*
 * Reads the map at p, checking it against the header's types if there is one.
 * 1 and the bytes used; 0 if it is not there whole; -1 and e.  The record points
 * into p.  Errors do not say where; the caller knows.
 */
int record_parse(struct record *rec, const struct header *h, const uint8_t *p, size_t n,
		 size_t *used, struct err *e);

/* The first field that this program has set to a NaN, or to a tensor with one; NULL: none. */
const struct cell *record_nan(const struct record *rec);

#endif
