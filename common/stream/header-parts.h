/*
 * header-parts: the parts of a stream's header, for the files of this folder and for programs that
 * create streams.  heed-stream(5) describes the header.
 */
#ifndef HEADER_PARTS_H
#define HEADER_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "stream/stream.h"
#include "stream/type.h"

#define HEADER_VERSION 1
#define HEADER_BYTES ((size_t)16 << 20)	/* maximum size of a header or a note */
#define HEADER_ENTRIES 4096		/* maximum number of fields, provenance entries, keys */

/* A field that the header declares. */
struct declared {
	char *name, *type;		/* the type as a text (type.h) */
	size_t name_n;			/* bytes of the name */
	struct type parsed;		/* the same type, parsed */
};

/*
 * A key of the header's meta, a map.  The keys "fields" (declared fields) and "pg" (provenance) are
 * included.
 */
struct meta {
	char *key;
	struct buf value;		/* encoded in msgpack; empty for fields and pg */
};

struct header {
	char *kind;
	struct declared *field;		/* [n_field] the declared fields */
	size_t n_field, field_room;
	struct meta *meta;		/* in the order of the stream */
	size_t n_meta, meta_room;
	struct buf pg;			/* the provenance entries: msgpack maps in sequence */
	size_t n_pg;			/* number of provenance entries */
	struct buf text;		/* the result of header_meta() */
};

/* Returns a header without fields, which the caller frees with header_free(). */
struct header *header_new(const char *kind);
/* Returns a copy of h, which the caller frees with header_free(). */
struct header *header_copy(const struct header *h);
void header_free(struct header *h);

/*
 * Decodes a header, ["heed", 1, kind, meta] in msgpack, of n bytes at p.  Returns NULL with
 * EXIT_INPUT if it is malformed; the message does not name the stream.  The caller frees the header
 * with header_free().
 */
struct header *header_decode(const void *p, size_t n, struct err *e) MUST_USE;
/* The inverse of header_decode(): appends the encoded header to b. */
void header_encode(const struct header *h, struct buf *b);
/*
 * Returns -1 with EXIT_INPUT if h, which is encoded in n bytes, exceeds a limit of header_decode():
 * HEADER_BYTES or HEADER_ENTRIES.
 */
int header_check_size(const struct header *h, size_t n, struct err *e);

/* Returns the index in h->field of the field with this name of n bytes, or -1. */
int header_find(const struct header *h, const char *name, size_t n);

/* Returns the entry of meta with this key, or NULL. */
struct meta *header_find_meta(const struct header *h, const char *key);
/* The same, but appends an empty entry if there is none with this key. */
struct meta *header_need_meta(struct header *h, const char *key);
/*
 * Change a header, as the functions writer_add_field() and so on (stream.h) change the header of a
 * writer.
 */
void header_add_field(struct header *h, const char *name, const char *type);
void header_drop_field(struct header *h, const char *name);
void header_drop_fields(struct header *h, field_choice *chosen, const void *arg);
void header_set_meta(struct header *h, const char *key, const char *value);
/* Appends this program's provenance entry. */
void header_add_program(struct header *h);
/* Appends the provenance entries of another header, except duplicates. */
void header_add_provenance(struct header *h, const struct header *other);

/*
 * Checks that a stream with header `b` may be appended to one with header `a`: both have the same
 * kind and fields, and keys that do not contradict each other (origin.h).  Returns 0, or -1 with
 * EXIT_INPUT.
 */
int header_may_follow(const struct header *a, const struct header *b, struct err *e);

#endif
