/* record-parts: the internals of a record, for the files of this folder. */
#ifndef RECORD_PARTS_H
#define RECORD_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "stream/stream.h"
#include "stream/type.h"

#define RECORD_FIELDS 1024	/* maximum number of fields */

struct cell {
	const char *name;
	size_t name_n;
	const uint8_t *key;		/* the encoded name, immediately before the value */
	const uint8_t *value;		/* the encoded value */
	size_t value_n;
	int declared;			/* index of the field in the header, or -1 */
	int tensor;			/* enum tensor_type if known, or -1 */
	bool nan;			/* this program has set the value, and it contains a NaN */
	const void *list;		/* result of record_strs() or record_ints() */
	size_t list_n;
	enum type_base list_base;
};

struct record {
	struct cell *cell;		/* [n] the fields, in their order */
	size_t n, room;
	const uint8_t *whole;		/* the bytes it was read from, or NULL if it was changed */
	size_t whole_n;
	const struct header *header;	/* of the stream it was read from, or NULL */
	struct arena mem;		/* values that were set or decoded */
	struct buf scratch;
};

/*
 * Parses the map at p and checks it against the types of the header, unless h is NULL.  Returns 1
 * and the number of bytes used; 0 if the map is incomplete; -1 and e if it is malformed.  The
 * record points into p.  Error messages do not name the record.
 */
int record_parse(struct record *rec, const struct header *h, const uint8_t *p, size_t n,
		 size_t *used, struct err *e);

/* Returns -1 and sets e if the record, encoded, would exceed stream_max_record. */
int record_fits(const struct record *rec, struct err *e);

/* The field with this name of n bytes, or NULL. */
struct cell *record_find(const struct record *rec, const char *name, size_t n);

/* The first field that this program has set to a NaN, or to a tensor with a NaN; or NULL. */
const struct cell *record_nan(const struct record *rec);

#endif
