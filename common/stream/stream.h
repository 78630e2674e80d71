/*
 * stream: reads and writes streams of records.
 *
 * heed-stream(5) describes the format.  A reader returns one record at a time; the record and all
 * that it points to are valid until the next call of reader_next().  A writer copies the record.
 * Fields that a program does not know stay in the record and are written unchanged and in place.
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

/* A field that a program needs in its input, or adds to it.  An array of these ends with {0}. */
struct field {
	const char *name;	/* "src.heads" */
	const char *type;	/* "str", "int", "[int]", "f32[n,n]", ... */
	unsigned optional:1;	/* in a list of needs: the header may lack it */
};

enum {
	STREAM_FORCE = 1,	/* allow binary data from and to a terminal */
	STREAM_NO_PG = 2,	/* writer: omit this program from the provenance */
	STREAM_ZSTD  = 4	/* writer: compress; readers decompress automatically */
};

/* A text in a record; not NUL-terminated. */
struct str { const char *s; size_t n; };

/* A tensor in a record, row-major and little-endian. */
struct tensor {
	enum tensor_type { TENSOR_F32, TENSOR_I8, TENSOR_BITS } type;
	int n_dim;
	int64_t d[4];
	/* May be unaligned.  Bits: lowest bit first, and each row is padded to whole bytes. */
	const void *data;
};

/*
 * Opens path, or standard input for NULL and "-".  Checks magic, version, `kind` (NULL: any) and
 * that the fields in `needs` are declared (NULL: none).  `flags` are STREAM_FORCE or 0.  The caller
 * closes the reader with reader_close().  Returns NULL with EXIT_INPUT for another file, and with
 * EXIT_SYSTEM if it cannot be read.
 */
struct reader *reader_open(const char *path, const char *kind,
			   const struct field *needs, unsigned flags, struct err *e) MUST_USE;
/* Is the input a stream?  Returns 1, 0, or -1 on error, and consumes nothing. */
struct input;
int stream_ahead(struct input *input, struct err *e) MUST_USE;
bool stream_begins(const void *p, size_t n);	/* do these n bytes begin a stream? */
/*
 * Like reader_open() for an open input that stream_ahead() has recognized.  Takes ownership of
 * the input, also on failure.
 */
struct reader *reader_open_input(struct input *input, const char *kind,
				 const struct field *needs, struct err *e) MUST_USE;
/* Like reader_open() for bytes in memory, which the caller owns and keeps until reader_close(). */
struct reader *reader_memory(const char *name, const void *p, size_t n, const char *kind,
			     const struct field *needs, struct err *e) MUST_USE;
const struct header *reader_header(const struct reader *r);

/*
 * Returns 1 and a record, 0 after a correct end record, and -1 on error.  Input that ends before
 * its end record is an error.
 */
int  reader_next(struct reader *r, struct record **rec, struct err *e) MUST_USE;
void reader_close(struct reader *r);		/* r may be NULL */
void reader_max_record(struct reader *r, size_t bytes);	/* overrides stream_max_record */

/* The maximum size of a record for all readers, in MiB, and the option that sets it. */
extern int64_t stream_max_record;
#define OPT_MAX_RECORD { .kind = OPT_INT, .long_name = "max-record", .arg = "mib", \
	.help = "accept records of up to mib MiB (64)", .to = &stream_max_record, \
	.min = 1, .max = 1 << 20 }

/* A row for the side of a sentence: an index into stream_sides, "src" and "tgt". */
#define OPT_SIDE(p) { .kind = OPT_CHOICE, .long_name = "side", .arg = "name", \
	.help = "side of the stream (src)", .to = (p), .choice = stream_sides }
extern const char *const stream_sides[];

int64_t reader_count(const struct reader *r);	/* records so far */
/*
 * The number of records of a regular file, for a progress line.  Returns 0 if no progress line is
 * drawn, or if the file is of another kind or cannot be read.
 */
int64_t reader_count_file(const char *path, const char *kind);
/* The offset of the last record in the uncompressed stream, in bytes. */
uint64_t reader_offset(const struct reader *r);
/* Is more input available, so that reader_next() need not wait? */
bool reader_has_more(const struct reader *r);

/* The current position for messages, such as "dev.heed: record 17 (id 204)". */
const char *reader_where(const struct reader *r);
const char *reader_name(const struct reader *r);	/* the path, or "standard input" */

/* A function that returns true for the fields that it chooses; `name` has n bytes. */
typedef bool field_choice(const char *name, size_t n, const void *arg);

/* header: kind, declared fields and other metadata of a stream. */
const char *header_kind(const struct header *h);
const char *header_type(const struct header *h, const char *field);	/* NULL if not declared */
int header_n_fields(const struct header *h);
const char *header_field(const struct header *h, int i, const char **type);
/* The string value of a free key of the header's meta, or NULL; valid until the next call. */
const char *header_meta(const struct header *h, const char *key);
/* The key with the digest (model_digest()) of the model whose heads the records describe. */
#define HEADER_MODEL "model"
/*
 * The keys with the digests of the models that wrote the fields hyp and score of sentences, and
 * with the precisions of their matrix products, such as "int8"; the two models may differ.
 */
#define HEADER_TRANSLATED "translate.model"
#define HEADER_TRANSLATED_IN "translate.precision"
#define HEADER_SCORED "score.model"
#define HEADER_SCORED_IN "score.precision"
/* The keys with the languages of the sentences (language.h), if they are known. */
#define HEADER_SRC_LANGUAGE "src.language"
#define HEADER_TGT_LANGUAGE "tgt.language"
/* The key of a training log with the name of the training (struct model). */
#define HEADER_TRAINING "training"
/* Is this text, such as an option, part of the provenance? */
bool header_ran_with(const struct header *h, const char *text);

/*
 * Returns 0 if the fields in `needs` are declared.  Otherwise returns -1 with EXIT_INPUT and a hint
 * that names the program to run first; `path` is for the message.
 */
int header_check(const struct header *h, const char *path, const struct field *needs,
		 struct err *e);

/*
 * Opens path for writing under a temporary name, or standard output for NULL and "-".  The header
 * is that of `input`, unless NULL, plus the fields in `adds`, plus a provenance entry for this
 * program.  Finish with writer_finish() or writer_abandon().
 */
struct writer *writer_open(const char *path, const char *kind,
			   const struct header *input, const struct field *adds,
			   unsigned flags, struct err *e) MUST_USE;
/* These change the header, and are allowed only before the first record or note. */
void writer_drop_field(struct writer *w, const char *name);
void writer_drop_fields(struct writer *w, field_choice *chosen, const void *arg);
void writer_add_field(struct writer *w, const char *name, const char *type);
void writer_set_meta(struct writer *w, const char *key, const char *value); /* NULL: no key */
/*
 * Copies the keys of another input that say where its fields come from, such as HEADER_TRANSLATED
 * (origin.h).  Call it before these fields are added.  If a key has different values, returns -1
 * with EXIT_INPUT or, with `replace`, keeps that of `other`; but a key that concerns all fields,
 * such as HEADER_MODEL, is never replaced.  Signatures are joined; if they differ, a warning names
 * the input by `name` (signature.h).  *moved becomes the set of the fields for which the inputs
 * have different keys, for dependents_join() (trees/dependents.h).
 */
int writer_join_origins(struct writer *w, const struct header *other, const char *name,
			bool replace, unsigned *moved, struct err *e) MUST_USE;
/* Adds the provenance entries of another input. */
void writer_add_provenance(struct writer *w, const struct header *other);
const struct header *writer_header(const struct writer *w);

/*
 * Writes a record.  Fails with EXIT_INPUT if this program has set a value to NaN by
 * record_set_float() or record_set_tensor(); NaNs that were read pass through.  It also fails if
 * the record has more fields, or a list more elements, than heed-stream(5) allows.
 */
int  writer_put(struct writer *w, const struct record *rec, struct err *e) MUST_USE;
/*
 * Like writer_put() for a record with fields of several inputs: fails if its values contradict the
 * header or each other, or if it exceeds stream_max_record.
 */
int  writer_put_checked(struct writer *w, const struct record *rec, struct err *e) MUST_USE;
/* Writes a note: a name and a text about the stream as a whole, see heed-stream(5). */
int  writer_note(struct writer *w, const char *name, const char *value, struct err *e) MUST_USE;
int  writer_flush(struct writer *w, struct err *e) MUST_USE;
int64_t writer_count(const struct writer *w);	/* records so far */

/*
 * writer_finish() writes the end record, flushes, syncs and renames.  writer_abandon() removes
 * the temporary file instead, and accepts NULL.  Both free w in any case.
 */
int  writer_finish(struct writer *w, struct err *e) MUST_USE;
void writer_abandon(struct writer *w);

/*
 * Copies notes of the input to the writer, at the same place among the records.  Without this call,
 * they are dropped.
 */
void reader_notes_to(struct reader *r, struct writer *w);
/* Calls `note` for each note, with its encoded array; -1 makes reader_next() fail. */
typedef int reader_note(void *arg, const void *p, size_t n, struct err *e);
void reader_on_note(struct reader *r, reader_note *note, void *arg);
/* Writes an encoded note, as reader_on_note() passes it. */
int  writer_put_note(struct writer *w, const void *p, size_t n, struct err *e) MUST_USE;

/*
 * record: a map of named values.  Get functions return 0, or -1 if the field is absent or of
 * another type; the texts, lists and tensors that they return belong to the record, and are valid
 * until it changes.  The caller frees records of record_new(); records of a reader belong to the
 * reader.
 */
struct record *record_new(void);		/* an empty record */
void record_free(struct record *rec);
void record_clear(struct record *rec);
int  record_copy(struct record *target, const struct record *original);	/* copies all fields */
/* Sets rec to the record in one msgpack map of n bytes, after checking it. */
int  record_decode(struct record *rec, const void *p, size_t n, struct err *e) MUST_USE;
/* The inverse: appends the record to `out` as one msgpack map. */
struct buf;
void record_encode(const struct record *rec, struct buf *out);

/* The number of fields; the name of field i, from 0; whether the record has a field. */
int  record_n_fields(const struct record *rec);
struct str record_name(const struct record *rec, int i);
bool record_has(const struct record *rec, const char *name);

int  record_str(const struct record *rec, const char *name, struct str *s);
int  record_int(const struct record *rec, const char *name, int64_t *v);
int  record_float(const struct record *rec, const char *name, double *v);	/* accepts an int */
int  record_bool(const struct record *rec, const char *name, bool *v);
int  record_strs(const struct record *rec, const char *name, const struct str **v, size_t *n);
int  record_ints(const struct record *rec, const char *name, const int32_t **v, size_t *n);
int  record_tensor(const struct record *rec, const char *name, struct tensor *t);
/* The encoded value, to pass it through. */
int  record_raw(const struct record *rec, const char *name, const void **p, size_t *n);

/* Set functions copy the value.  They replace an existing field in place or append a new one. */
void record_set_str(struct record *rec, const char *name, const char *s, size_t n);
void record_set_int(struct record *rec, const char *name, int64_t v);
void record_set_float(struct record *rec, const char *name, double v);
void record_set_bool(struct record *rec, const char *name, bool v);
void record_set_strs(struct record *rec, const char *name, const struct str *v, size_t n);
void record_set_ints(struct record *rec, const char *name, const int32_t *v, size_t n);
void record_set_tensor(struct record *rec, const char *name, const struct tensor *t);
void record_set_raw(struct record *rec, const char *name, const void *p, size_t n);
void record_delete(struct record *rec, const char *name);
void record_delete_fields(struct record *rec, field_choice *chosen, const void *arg);

bool tensor_bit(const struct tensor *t, int64_t row, int64_t column);	/* 2-d TENSOR_BITS only */

#endif
