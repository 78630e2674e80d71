/* header-parts: the parts of a header, for this folder and for programs that create streams. */
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

struct declared {
	char *name, *type;
	size_t name_n;
	struct type parsed;
};

/* A key of the header's meta, including the keys fields and pg. */
struct meta {
	char *key;
	struct buf value;		/* encoded; empty for fields and pg */
};

struct header {
	char *kind;
	struct declared *field;		/* [n_field] the declared fields */
	size_t n_field, field_room;
	struct meta *meta;		/* in the order of the stream */
	size_t n_meta, meta_room;
	struct buf pg;			/* the provenance entries: encoded maps */
	size_t n_pg;
	struct buf text;		/* the result of header_meta() */
};

/* A header without fields, which the caller frees with header_free(). */
struct header *header_new(const char *kind);
/* A copy, which the caller frees with header_free(). */
struct header *header_copy(const struct header *h);
void header_free(struct header *h);

/* Decodes ["heed", 1, kind, meta] of n bytes.  Error messages do not name the stream. */
struct header *header_decode(const void *p, size_t n, struct err *e) MUST_USE;
/* Appends the encoded header to b. */
void header_encode(const struct header *h, struct buf *b);
/*
 * Returns -1 and sets e if header_decode() would refuse the header, encoded in n bytes, as too
 * large.
 */
int header_check_size(const struct header *h, size_t n, struct err *e);

/* The index of the field with this name, or -1. */
int header_find(const struct header *h, const char *name, size_t n);

/* The entry with this key, or NULL. */
struct meta *header_find_meta(const struct header *h, const char *key);
/* The entry with this key; appends a new one if there is none. */
struct meta *header_need_meta(struct header *h, const char *key);
/* These are the functions writer_*() of the same names (stream.h) for a header. */
void header_add_field(struct header *h, const char *name, const char *type);
void header_drop_field(struct header *h, const char *name);
void header_drop_fields(struct header *h, field_choice *chosen, const void *arg);
void header_set_meta(struct header *h, const char *key, const char *value);
/* Appends this program's provenance entry. */
void header_add_program(struct header *h);
/* Appends the provenance entries of another header, except duplicates. */
void header_add_provenance(struct header *h, const struct header *other);

/*
 * Returns 0 if a stream with header b may follow one with header a, and otherwise -1 with
 * EXIT_INPUT.
 */
int header_may_follow(const struct header *a, const struct header *b, struct err *e);

#endif
