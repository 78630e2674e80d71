/*
 * stream: records in, records out, through pipes.
 *
 * See heed-stream(5) for the bytes.  A reader hands out one record at a time;
 * the record and all it points to live until the next call.  A writer copies
 * what it is given.  Fields a program does not know stay in the record and go
 * out again, unchanged and in place.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

struct reader;
struct writer;
struct record;
struct header;
struct program;

/* What a program wants from its input, or adds to it.  An array of these ends with {0}. */
struct field {
	const char *name;	/* "src.heads" */
	const char *type;	/* "str", "int", "[int]", "f32[n,n]", ... */
	unsigned optional:1;
};

enum {
	STREAM_FORCE = 1,	/* binary data from or to a terminal is fine */
	STREAM_NO_PG = 2,	/* writer: no line of provenance for this program */
	STREAM_ZSTD  = 4	/* writer: compressed; readers open it by themselves */
};

/* A text in a record: not NUL-terminated. */
struct str { const char *s; size_t n; };

/* Numbers in a record, row-major. */
struct tensor {
	enum tensor_type { TENSOR_F32, TENSOR_I8, TENSOR_BITS } type;
	int n_dim;
	int64_t d[4];
	const void *data;	/* little-endian; bits: one bit a cell, rows padded to bytes, lowest bit first; may be unaligned */
};

/* Opens path, or stdin for NULL and "-"; checks magic, version, kind (NULL: any), fields. */
struct reader *reader_open(const char *path, const char *kind,
			   const struct field *needs, unsigned flags, struct err *e) MUST_USE;
/* Do the next bytes begin a stream?  1, 0, -1 on error; nothing is taken. */
struct input;
int stream_ahead(struct input *in, struct err *e) MUST_USE;
bool stream_begins(const void *p, size_t n);		/* do these? */
/* The same over an input whose first bytes were looked at and found to be a stream's; takes it in any case. */
struct reader *reader_open_input(struct input *in, const char *kind,
				 const struct field *needs, unsigned flags, struct err *e) MUST_USE;
/* The same over bytes in memory, which stay the caller's and outlive the reader. */
struct reader *reader_memory(const char *name, const void *p, size_t n, const char *kind,
			     const struct field *needs, unsigned flags, struct err *e) MUST_USE;
const struct header *reader_header(const struct reader *r);

/*
 * 1 and a record; 0 after a good end record; -1 on anything else, and that
 * includes input which stops before its end record.
 */
int  reader_next(struct reader *r, struct record **rec, struct err *e) MUST_USE;
void reader_close(struct reader *r);		/* NULL is fine */
void reader_max_record(struct reader *r, size_t bytes);	/* default: what follows */

/* The default for all readers, in MiB, and the row of a program's options that sets it. */
extern int64_t stream_max_record;
#define OPT_MAX_RECORD { .kind = OPT_INT, .long_name = "max-record", .arg = "mib", \
	.help = "largest record that is accepted, in MiB (64)", .to = &stream_max_record, \
	.min = 1, .max = 1 << 20 }

int64_t reader_count(const struct reader *r);	/* records so far */
/* Where the record last handed out begins, counted from the first byte of the (uncompressed) stream. */
uint64_t reader_offset(const struct reader *r);
/* Is more of the input here already, so that reader_next() need not wait for it? */
bool reader_has_more(const struct reader *r);

/* Where we are, for messages: "dev.heed: record 17 (id 204)". */
const char *reader_where(const struct reader *r);
const char *reader_name(const struct reader *r);	/* of the input, as given */

/* header: what a stream says of itself. */
const char *header_kind(const struct header *h);
const char *header_type(const struct header *h, const char *field);	/* NULL if it has no such field */
int header_n_fields(const struct header *h);
const char *header_field(const struct header *h, int i, const char **type);
/* A free key of the header's meta: a string or NULL. */
const char *header_meta(const struct header *h, const char *key);

/* Checks needs against the header: -1 with a hint which program adds what is missing. */
int header_check(const struct header *h, const char *path, const struct field *needs, struct err *e);

/*
 * Opens path for writing under a temporary name, or stdout for NULL and "-".
 * The header is from's, if given, plus adds, plus one line of provenance.
 */
struct writer *writer_open(const char *path, const char *kind,
			   const struct header *from, const struct field *adds,
			   unsigned flags, struct err *e) MUST_USE;
/* Before the first record: drop a field, set a free key of the header's meta. */
void writer_drop_field(struct writer *w, const char *name);
void writer_add_field(struct writer *w, const char *name, const char *type);
void writer_set_meta(struct writer *w, const char *key, const char *value);
/* Lines of provenance of another input. */
void writer_add_provenance(struct writer *w, const struct header *other);

/*
 * EXIT_INPUT, too, if record_set_float() or record_set_tensor() was given a NaN; one that was read
 * passes through.
 */
int  writer_put(struct writer *w, const struct record *rec, struct err *e) MUST_USE;
int  writer_note(struct writer *w, const char *name, const char *value, struct err *e) MUST_USE;
int  writer_flush(struct writer *w, struct err *e) MUST_USE;
int64_t writer_count(const struct writer *w);	/* records so far */

/* Writes the end record, flushes, syncs and renames: the only way to succeed; frees w in any case. */
int  writer_finish(struct writer *w, struct err *e) MUST_USE;
void writer_abandon(struct writer *w);		/* NULL is fine */

/* Notes of the input are passed on in place by whoever sets this on its reader. */
void reader_notes_to(struct reader *r, struct writer *w);
/* Or: calls note for each with its whole encoded array; -1 from it makes reader_next() fail. */
typedef int reader_note(void *arg, const void *p, size_t n, struct err *e);
void reader_on_note(struct reader *r, reader_note *note, void *arg);
/* A whole encoded note, as reader_on_note() hands it out. */
int  writer_put_note(struct writer *w, const void *p, size_t n, struct err *e) MUST_USE;

/* record: a map of named values.  Get functions return -1 if absent or of another type. */
struct record *record_new(void);		/* an empty one; reader's records are the reader's */
void record_free(struct record *rec);
void record_clear(struct record *rec);
int  record_copy(struct record *to, const struct record *from);	/* all fields */
/* Decodes one msgpack map (a record's bytes, as an index of a mapped file finds them); checks all of it. */
int  record_decode(struct record *rec, const void *p, size_t n, struct err *e) MUST_USE;
/* The other way: the record as one msgpack map, added to out. */
struct buf;
void record_encode(const struct record *rec, struct buf *out);

int  record_n_fields(const struct record *rec);
struct str record_name(const struct record *rec, int i);
bool record_has(const struct record *rec, const char *name);

int  record_str(const struct record *rec, const char *name, struct str *s);
int  record_int(const struct record *rec, const char *name, int64_t *v);
int  record_float(const struct record *rec, const char *name, double *v);	/* an int will do */
int  record_bool(const struct record *rec, const char *name, bool *v);
int  record_strs(const struct record *rec, const char *name, const struct str **v, size_t *n);
int  record_ints(const struct record *rec, const char *name, const int32_t **v, size_t *n);
int  record_tensor(const struct record *rec, const char *name, struct tensor *t);
/* The encoded value, for those who only pass it on. */
int  record_raw(const struct record *rec, const char *name, const void **p, size_t *n);

/* Set functions copy; an old value of that name is replaced in place, a new one goes last. */
void record_set_str(struct record *rec, const char *name, const char *s, size_t n);
void record_set_int(struct record *rec, const char *name, int64_t v);
void record_set_float(struct record *rec, const char *name, double v);
void record_set_bool(struct record *rec, const char *name, bool v);
void record_set_strs(struct record *rec, const char *name, const struct str *v, size_t n);
void record_set_ints(struct record *rec, const char *name, const int32_t *v, size_t n);
void record_set_tensor(struct record *rec, const char *name, const struct tensor *t);
void record_set_raw(struct record *rec, const char *name, const void *p, size_t n);
void record_delete(struct record *rec, const char *name);

bool tensor_bit(const struct tensor *t, int64_t row, int64_t column);	/* of a 2-d TENSOR_BITS */

#endif
