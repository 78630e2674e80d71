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

/* A field of a record, with its value. */
struct cell {
	const char *name;
	size_t name_n;
	const uint8_t *key;		/* the name in msgpack, immediately before the value */
	const uint8_t *value;		/* the value in msgpack */
	size_t value_n;
	int declared;			/* index of the field in the header, or -1 */
	int tensor;			/* enum tensor_type if known, or -1 */
	bool nan;			/* this program has set the value, and it contains a NaN */
	const void *list;		/* the list that record_strs() or record_ints() has decoded,
					 * with list_n elements; or NULL */
	size_t list_n;
	enum type_base list_base;	/* TYPE_STRS or TYPE_INTS */
};

struct record {
	struct cell *cell;		/* [n] the fields, in their order */
	size_t n, room;
	const uint8_t *whole;		/* the whole_n bytes from which the record was read; NULL if
					 * the record was changed */
	size_t whole_n;
	const struct header *header;	/* of the stream that has the record, or NULL */
	struct arena mem;		/* values that were set or decoded */
	struct buf scratch;
};

/*
 * Parses a record, the msgpack map at p, of which n bytes are available.  Unless h is NULL, checks
 * the values against the types that h declares.  Returns 1 and sets *used to the size of the map; 0
 * if the map is incomplete; -1 with EXIT_INPUT if it is malformed.  The message does not name the
 * record.  Afterwards, rec points into the bytes at p.
 */
int record_parse(struct record *rec, const struct header *h, const uint8_t *p, size_t n,
		 size_t *used, struct err *e);

/*
 * Returns -1 with EXIT_INPUT if the encoded record would be larger than stream_max_record
 * (stream.h).
 */
int record_fits(const struct record *rec, struct err *e);

/* The base of the type of a field whose value is a tensor, by enum tensor_type. */
extern const enum type_base tensor_base[3];

/* Returns the field with this name of n bytes, or NULL. */
struct cell *record_find(const struct record *rec, const char *name, size_t n);

/*
 * Returns the first field that this program has set to a NaN, or to a tensor with a NaN; NULL if
 * there is none.
 */
const struct cell *record_nan(const struct record *rec);

#endif
