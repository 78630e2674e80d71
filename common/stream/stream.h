/*
 * stream: reads and writes streams of records.
 *
 * heed-stream(5) describes the format.  A stream has a header and records; a record is a map from
 * names of fields to values.  A reader returns one record at a time; the record and all that it
 * points to are valid until the next call of reader_next().  A writer does not keep the record.
 * Fields that a program does not know stay in the record, and are written unchanged and in the same
 * order.
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

/*
 * A field that a program needs in its input or adds to its output.  An array of fields ends with
 * {0}.
 */
struct field {
	const char *name;	/* "src.heads" */
	const char *type;	/* "str", "int", "[int]", "f32[n,n]", ...: see type.h */
	unsigned optional:1;	/* of a needed field: the header may lack it */
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
	int n_dim;		/* number of dimensions, 1 to 4 */
	int64_t d[4];		/* their sizes */
	/*
	 * The elements; perhaps unaligned.  TENSOR_BITS: the first element is the lowest bit of a
	 * byte, and each row of the last dimension is padded to whole bytes.
	 */
	const void *data;
};

/*
 * Opens the stream at `path` (input.h), or on standard input for NULL and "-".  Checks that it is a
 * stream of a known version and of this kind, and that its header declares the fields in `needs`.
 * `kind` NULL accepts any kind, and `needs` NULL needs no fields.  `flags` are STREAM_FORCE or 0.
 * The caller closes the reader with reader_close().  Returns NULL with EXIT_INPUT if the file is
 * not such a stream, and otherwise with the error of input_open().
 */
struct reader *reader_open(const char *path, const char *kind,
			   const struct field *needs, unsigned flags, struct err *e) MUST_USE;
/* Does an input (input.h) begin with a stream?  Returns 1, 0, or -1 on error; consumes nothing. */
struct input;
int stream_ahead(struct input *input, struct err *e) MUST_USE;
bool stream_begins(const void *p, size_t n);	/* do these n bytes begin a stream? */
/*
 * Like reader_open(), for an open input.  Takes over the input: reader_close() closes it, or the
 * function itself on failure.
 */
struct reader *reader_open_input(struct input *input, const char *kind,
				 const struct field *needs, struct err *e) MUST_USE;
/*
 * Like reader_open(), for the n bytes at p, which are not copied and must outlive the reader.
 * `name` is the name of the stream for messages.
 */
struct reader *reader_memory(const char *name, const void *p, size_t n, const char *kind,
			     const struct field *needs, struct err *e) MUST_USE;
const struct header *reader_header(const struct reader *r);	/* belongs to r */

/*
 * Reads the next record.  Returns 1 and sets *rec to the record, 0 after a correct end record, or
 * -1 with an error.  Input that ends before its end record is an error (EXIT_INPUT).
 */
int  reader_next(struct reader *r, struct record **rec, struct err *e) MUST_USE;
void reader_close(struct reader *r);		/* r may be NULL */
/* Sets the maximum size of a record for this reader, instead of stream_max_record. */
void reader_max_record(struct reader *r, size_t bytes);

/*
 * The maximum size of a record for all readers, in MiB, and the option that sets it.  Readers
 * opened earlier keep their limit.
 */
extern int64_t stream_max_record;
#define OPT_MAX_RECORD { .kind = OPT_INT, .long_name = "max-record", .arg = "mib", \
	.help = "accept records of up to mib MiB (64)", .to = &stream_max_record, \
	.min = 1, .max = 1 << 20 }

/*
 * A row for the side of a sentence.  The value, of type int, is an index into stream_sides, "src"
 * and "tgt".
 */
#define OPT_SIDE(p) { .kind = OPT_CHOICE, .long_name = "side", .arg = "name", \
	.help = "side of the stream (src)", .to = (p), .choice = stream_sides }
extern const char *const stream_sides[];

int64_t reader_count(const struct reader *r);	/* number of records read so far */
/*
 * Reads a file, and returns the number of its records, for a progress line.  Returns 0, without
 * reading, if no progress line is drawn (progress.h) or the file is not a regular file; also
 * returns 0 if the file is not a stream of this kind or cannot be opened.  An error after the
 * header ends the count.
 */
int64_t reader_count_file(const char *path, const char *kind);
/* The offset of the record that was read last, in bytes of the uncompressed stream. */
uint64_t reader_offset(const struct reader *r);
/* Have further bytes arrived?  If not, the next reader_next() may wait for input. */
bool reader_has_more(const struct reader *r);

/*
 * The place of the record that was read last, for messages, such as "dev.heed: record 17 (id 204)".
 * Valid until the next call of reader_where() for r.
 */
const char *reader_where(const struct reader *r);
const char *reader_name(const struct reader *r);	/* the path, or "standard input" */

/* A function that returns true for the fields that it chooses; `name` has n bytes. */
typedef bool field_choice(const char *name, size_t n, const void *arg);

/*
 * header: kind, declared fields and other metadata of a stream.  header_field() returns the name of
 * field i, from 0, and sets *type to its type unless `type` is NULL.  All strings belong to the
 * header.
 */
const char *header_kind(const struct header *h);
const char *header_type(const struct header *h, const char *field);	/* NULL if not declared */
int header_n_fields(const struct header *h);	/* number of declared fields */
const char *header_field(const struct header *h, int i, const char **type);
/*
 * Returns the value of a key of the header's meta, such as those below; NULL if the key is missing
 * or its value is not a string.  The string is valid until the next call with h.
 */
const char *header_meta(const struct header *h, const char *key);
/*
 * The key with the digest (model_digest(), in model/model.h) of the model whose heads the records
 * describe.
 */
#define HEADER_MODEL "model"
/*
 * Keys of a stream of sentences.  HEADER_TRANSLATED has the digest of the model that wrote the
 * field hyp, and HEADER_SCORED that of the model that wrote the field score.  HEADER_TRANSLATED_IN
 * and HEADER_SCORED_IN have the precision of the matrix products of these models, such as "int8".
 */
#define HEADER_TRANSLATED "translate.model"
#define HEADER_TRANSLATED_IN "translate.precision"
#define HEADER_SCORED "score.model"
#define HEADER_SCORED_IN "score.precision"
/* The keys with the languages of both sides of the sentences (language.h), if they are known. */
#define HEADER_SRC_LANGUAGE "src.language"
#define HEADER_TGT_LANGUAGE "tgt.language"
/*
 * The key of a training log with the name of the training (`training` of struct model, in
 * model/model.h).
 */
#define HEADER_TRAINING "training"
/* Does the provenance contain this text, such as an option? */
bool header_ran_with(const struct header *h, const char *text);

/*
 * Returns 0 if h declares the fields in `needs`, with types that agree (type_agrees() in type.h).
 * Otherwise returns -1 with EXIT_INPUT and, if a known program adds the missing field, a hint that
 * names this program.  `path` is the name of the stream for the message.
 */
int header_check(const struct header *h, const char *path, const struct field *needs,
		 struct err *e);

/*
 * Opens `path` for writing under a temporary name (output.h), or standard output for NULL and "-".
 * The header is a copy of `input`, or a new one if `input` is NULL.  The header gets the kind
 * `kind`, unless that is NULL, the fields in `adds`, which may be NULL, and a provenance entry for
 * this program.  If `input` is NULL, `kind` must be given.  `flags` are a combination of the
 * STREAM_ flags.  Returns NULL with the error of output_open().  Finish with writer_finish() or
 * writer_abandon().
 */
struct writer *writer_open(const char *path, const char *kind,
			   const struct header *input, const struct field *adds,
			   unsigned flags, struct err *e) MUST_USE;
/*
 * The functions up to writer_add_provenance() change the header.  They are allowed only before the
 * first record or note is written, or writer_flush() is called.  writer_drop_fields() drops the
 * fields for which chosen(), which is called with `arg`, returns true.
 */
void writer_drop_field(struct writer *w, const char *name);
void writer_drop_fields(struct writer *w, field_choice *chosen, const void *arg);
void writer_add_field(struct writer *w, const char *name, const char *type);
/* Sets a key of the header's meta to a string; NULL removes the key. */
void writer_set_meta(struct writer *w, const char *key, const char *value);
/*
 * For a writer whose records get fields from another stream, with header `other`.  Copies the keys
 * that say where these fields come from, such as HEADER_TRANSLATED (origin.h), to the header of w.
 * Call it before the fields are added.  If a key has different values, returns -1 with EXIT_INPUT
 * or, if `replace` is true, takes the value of `other`; a key that concerns all fields, such as
 * HEADER_MODEL, is never replaced.  Signatures are joined (signature.h); if they differ, a warning
 * names the other stream by `name`, unless this is NULL.  Sets *moved to the set of fields for
 * which the two headers have different keys, for dependents_join() (trees/dependents.h).
 */
int writer_join_origins(struct writer *w, const struct header *other, const char *name,
			bool replace, unsigned *moved, struct err *e) MUST_USE;
/* Adds the provenance entries of another header, except duplicates. */
void writer_add_provenance(struct writer *w, const struct header *other);
const struct header *writer_header(const struct writer *w);	/* belongs to w */

/*
 * Writes a record.  Fails with EXIT_INPUT if this program has set a value to NaN by
 * record_set_float() or record_set_tensor(); NaNs that were read pass through.  Also fails with
 * EXIT_INPUT if the record has more fields, or one of its lists has more elements, than
 * heed-stream(5) allows.  Fails with EXIT_SYSTEM if the output cannot be written.
 */
int  writer_put(struct writer *w, const struct record *rec, struct err *e) MUST_USE;
/*
 * Like writer_put(), for a record to which fields were added.  Also fails with EXIT_INPUT if the
 * record is larger than stream_max_record, so that readers would refuse it.
 */
int  writer_put_fitting(struct writer *w, const struct record *rec, struct err *e) MUST_USE;
/*
 * Like writer_put(), for a record with fields of several inputs.  Also fails with EXIT_INPUT if a
 * value does not have the type that the header declares, if tensors differ in a dimension of the
 * same letter (type.h), or if the record is larger than stream_max_record.  A record that was not
 * changed since it was read is not checked.
 */
int  writer_put_checked(struct writer *w, const struct record *rec, struct err *e) MUST_USE;
/* Writes a note, which is a name and a text about the stream as a whole; see heed-stream(5). */
int  writer_note(struct writer *w, const char *name, const char *value, struct err *e) MUST_USE;
/* Writes all data to the file now, for interactive use; no effect with STREAM_ZSTD. */
int  writer_flush(struct writer *w, struct err *e) MUST_USE;
int64_t writer_count(const struct writer *w);	/* number of records written so far */

/*
 * writer_finish() writes the end record, and completes the file as output_finish() does (output.h).
 * writer_abandon() removes the temporary file instead, and accepts NULL.  Both free w in any case.
 * writer_end() is writer_finish() or, if an error has occurred (`bad`), writer_abandon(); it
 * returns -1 with the error of either.
 */
int  writer_finish(struct writer *w, struct err *e) MUST_USE;
void writer_abandon(struct writer *w);
int  writer_end(struct writer *w, int bad, struct err *e) MUST_USE;

/*
 * From now on, reader_next() passes the notes of the stream to the writer, so that they keep their
 * places among the records.  Without this call, notes are dropped.
 */
void reader_notes_to(struct reader *r, struct writer *w);
/*
 * From now on, reader_next() calls note() for each note, with `arg` and the n bytes of the note, a
 * msgpack array.  If note() returns -1 with an error, reader_next() fails.
 */
typedef int reader_note(void *arg, const void *p, size_t n, struct err *e);
void reader_on_note(struct reader *r, reader_note *note, void *arg);
/* Writes a note, given as a msgpack array of n bytes, as note() gets it. */
int  writer_put_note(struct writer *w, const void *p, size_t n, struct err *e) MUST_USE;

/*
 * record: a map from names of fields to values.  The caller frees a record of record_new() by
 * record_free(); records of a reader belong to the reader.  The functions record_str() to
 * record_raw() get the value of a field: they return 0, or -1 if the record lacks the field or the
 * value is of another type.  Texts, lists and tensors that they return belong to the record, and
 * are valid until the record changes.
 */
struct record *record_new(void);		/* an empty record */
void record_free(struct record *rec);
void record_clear(struct record *rec);		/* removes all fields */
/* Replaces the fields of `target` by copies of those of `original`.  Returns 0. */
int  record_copy(struct record *target, const struct record *original);

/*
 * Sets rec to the record in one msgpack map of n bytes at p.  The record points into these bytes,
 * which must outlive it.  Returns -1 with EXIT_INPUT if they are not a record.
 */
int  record_decode(struct record *rec, const void *p, size_t n, struct err *e) MUST_USE;
/* The inverse of record_decode(): appends the record to `out` as one msgpack map. */
struct buf;
void record_encode(const struct record *rec, struct buf *out);

/*
 * Return the number of fields, the name of field i, from 0, and whether the record has the field
 * `name`.
 */
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
/* Sets *p and *n to the bytes of the value in msgpack, for record_set_raw() of another record. */
int  record_raw(const struct record *rec, const char *name, const void **p, size_t *n);

/*
 * The functions record_set_str() to record_set_raw() set a field to a copy of the value.  An
 * existing field is replaced in place; a new field is appended.
 */
void record_set_str(struct record *rec, const char *name, const char *s, size_t n);
void record_set_int(struct record *rec, const char *name, int64_t v);
void record_set_float(struct record *rec, const char *name, double v);
void record_set_bool(struct record *rec, const char *name, bool v);
void record_set_strs(struct record *rec, const char *name, const struct str *v, size_t n);
void record_set_ints(struct record *rec, const char *name, const int32_t *v, size_t n);
void record_set_tensor(struct record *rec, const char *name, const struct tensor *t);
void record_set_raw(struct record *rec, const char *name, const void *p, size_t n);
/* Remove a field, if the record has it, or the fields for which chosen() returns true. */
void record_delete(struct record *rec, const char *name);
void record_delete_fields(struct record *rec, field_choice *chosen, const void *arg);

/* Returns an element of a TENSOR_BITS with two dimensions. */
bool tensor_bit(const struct tensor *t, int64_t row, int64_t column);

#endif
