/* header-parts: how a header is made, for the files of this folder and for programs that make streams. */
#ifndef HEADER_PARTS_H
#define HEADER_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "stream/stream.h"
#include "stream/type.h"

#define HEADER_VERSION 1
#define HEADER_BYTES ((size_t)16 << 20)	/* of a header or a note, at most */
#define HEADER_ENTRIES 4096		/* fields, lines of provenance or free keys, at most */

struct declared {
	char *name, *type;
	size_t name_n;
	struct type parsed;
};

/* A key of the header's meta, in order; fields and pg stand among them by their names. */
struct meta {
	char *key;
	struct buf value;		/* encoded; not of fields and pg */
};

struct header {
	char *kind;
	struct declared *field;
	size_t n_field, field_room;
	struct meta *meta;
	size_t n_meta, meta_room;
	struct buf pg;			/* the lines, one map after another */
	size_t n_pg;
	struct buf text;		/* of header_meta() */
};

struct header *header_new(const char *kind);
struct header *header_copy(const struct header *h);
void header_free(struct header *h);

/* Reads ["heed", 1, kind, meta], whole in [p, p+n).  Errors do not say of which stream. */
struct header *header_decode(const void *p, size_t n, struct err *e) MUST_USE;
void header_encode(const struct header *h, struct buf *b);

/* Number of a field of that name, or -1. */
int header_find(const struct header *h, const char *name, size_t n);

/* The entry of that key, a new one at the end if there is none. */
struct meta *header_need_meta(struct header *h, const char *key);
void header_add_field(struct header *h, const char *name, const char *type);
void header_drop_field(struct header *h, const char *name);
void header_set_meta(struct header *h, const char *key, const char *value);
/* This program's line of provenance. */
void header_add_program(struct header *h);
/* The other's lines that are not here yet. */
void header_add_provenance(struct header *h, const struct header *other);

/* 0 if a stream with header b may follow one with header a. */
int header_may_follow(const struct header *a, const struct header *b, struct err *e);

#endif
