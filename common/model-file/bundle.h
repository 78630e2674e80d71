/*
 * bundle: the container format of all model files; see heed-model(5).
 *
 * A bundle is a pax tar archive.  Its first member is a msgpack map, whose name states the kind of
 * file.  Then follow members with bytes, text or parameters.  The key "members" of the map has a
 * table of their sizes and checksums.  The last member, `end`, has the checksum of the contents of
 * all members before it.  Callers define the other keys of the map and the names of members;
 * model-file.h does so for translation models.  Names of members contain no blanks or tabs.  The
 * same contents give the same bytes.
 */
#ifndef BUNDLE_H
#define BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cli.h"
#include "base/err.h"
#include "stream/stream.h"
#include "tape/params.h"
#include "text/vocab.h"

struct bundle_kind {
	const char *map;	/* the name of the first member: "heed-model" */
	const char *what;	/* for messages: "a model of nmt-train" */
	int format;		/* the value of the key "format" in the map; bundles with another
				 * value are refused */
	bool i8;		/* parameters may be i8 or f32 (member.h); otherwise only f32 */
	const char *hint;	/* hint of the message if the file is of another toolkit, or NULL */
};

/*
 * Writing.  bundle_out_open() creates a temporary file, and bundle_out_finish() gives it the name
 * `path` once it is complete.  The functions between them cannot fail.  Members are written in the
 * order in which they were added.  The caller owns the data that it passes, including *kind, and
 * must neither change nor free them before bundle_out_finish().
 */
struct bundle_out;

struct bundle_out *bundle_out_open(const char *path, const struct bundle_kind *kind,
				   struct err *e) MUST_USE;

/*
 * Returns the map, to which the caller adds its keys.  "format" is already set, and
 * bundle_out_finish() adds "members".
 */
struct record *bundle_out_map(struct bundle_out *b);
/* Sets a key of the map to a text. */
void bundle_out_text(struct bundle_out *b, const char *key, const char *text);
/*
 * Sets a key of the map to the settings in `state`, as cli_settings_describe() (base/cli.h) writes
 * them.
 */
void bundle_out_settings(struct bundle_out *b, const char *key, const struct opt *table,
			 const void *state);

/* Adds a member of n bytes.  `type` is "text" or "bytes". */
void bundle_out_bytes(struct bundle_out *b, const char *name, const char *type, const void *p,
		      size_t n);
/* Adds a member of type "text" with the entries of a vocabulary. */
void bundle_out_vocab(struct bundle_out *b, const char *name, const struct vocab *v);
/*
 * Adds the member param/NAME with the values of a parameter, as f32 or, with `i8`, as i8: a byte
 * per element and a scale per row.  `fill` is NULL, or supplies the values of a parameter whose
 * values are not allocated: it stores elements [start, start + n) of p in `out`; these are whole
 * rows of the last dimension.  It is called with `arg` for all elements in order, first by this
 * function and again by bundle_out_finish(), and must store the same finite values both times.  It
 * returns 0, or -1 with an error, which bundle_out_finish() then returns.
 */
typedef int bundle_fill(void *arg, const struct param *p, size_t start, size_t n, real *out,
			struct err *e);
void bundle_out_param(struct bundle_out *b, const struct param *p, bool i8, bundle_fill *fill,
		      void *arg);

/*
 * From now on, also adds each parameter to the hash *h (hash_fnv1a() of base/hash.h): first
 * param_digest() (tape/params.h), then the values that a reader of the file gets, as f32.  If h is
 * NULL, this ends.
 */
void bundle_out_digest(struct bundle_out *b, uint64_t *h);

/*
 * Writes the file and frees b, also on error.  Returns 0, or -1 with an error, which is
 * EXIT_DIVERGED if a value of a parameter is not finite.
 */
int bundle_out_finish(struct bundle_out *b, struct err *e) MUST_USE;

/*
 * Reading.  The file is not trusted: its tar blocks, map, table and `end` are checked, and so are
 * the name, size and checksum of each member.  No memory is allocated for contents that the file is
 * too short to hold.  Errors are EXIT_INPUT, unless the file cannot be opened or read.
 *
 *	b = bundle_in_open(path, &kind, e);
 *	if (!b)
 *		return -1;
 *	r = bundle_in_settings(b, "config", ...) || bundle_in_vocab(b, "words", ...) ||
 *	    bundle_in_params(b, &params, false, e) ? -1 : 0;
 *	return bundle_in_close(b, r, e);
 */
struct bundle_in;

/* Does the file begin with the name of the map of this kind?  False if it cannot be read. */
bool bundle_is(const char *path, const struct bundle_kind *kind);

struct bundle_in *bundle_in_open(const char *path, const struct bundle_kind *kind,
				 struct err *e) MUST_USE;
/*
 * Opens a bundle of n bytes at p, which the caller keeps until bundle_in_close().  `name` stands
 * for the file in messages.
 */
struct bundle_in *bundle_in_memory(const char *name, const void *p, size_t n,
				   const struct bundle_kind *kind, struct err *e) MUST_USE;

/* Returns the map, which is valid until bundle_in_close(). */
const struct record *bundle_in_map(const struct bundle_in *b);
/*
 * Returns the text of a key of the map, which the caller frees.  Returns NULL if the map has no
 * such key, or if the value is not a text or has a NUL byte.
 */
char *bundle_in_text(const struct bundle_in *b, const char *key, struct err *e) MUST_USE;
/*
 * Parses the text of a key with cli_settings() (base/cli.h) into `state`.  Settings that the text
 * lacks keep their values.
 */
int bundle_in_settings(struct bundle_in *b, const char *key, const struct opt *table,
		       void *state, struct err *e) MUST_USE;

/*
 * Why a file cannot be read: bundle_in_close() puts this at the beginning of the message.  The
 * fault is BUNDLE_DAMAGED unless the reader finds, or bundle_in_fault() sets, another one.  If the
 * checksum of the file is wrong, newer and older files are reported as damaged, too.
 * BUNDLE_CONTENT: the file is as it was written, but cannot be used.
 */
enum bundle_fault {
	BUNDLE_DAMAGED, BUNDLE_TRUNCATED, BUNDLE_NEWER, BUNDLE_OLDER, BUNDLE_CONTENT
};
/* Sets the fault for an error that the caller found, and EXIT_INPUT in e.  Returns -1. */
int bundle_in_fault(struct bundle_in *b, enum bundle_fault fault, struct err *e);

/* The name of the next member, without the map and `end`; NULL after the last one. */
const char *bundle_in_next(const struct bundle_in *b);
/* Is `name` the name of the next member? */
bool bundle_in_is(const struct bundle_in *b, const char *name);

/*
 * Reads the next member, which must be called `name`.  Returns its *n bytes followed by a NUL byte,
 * which the caller frees.
 */
char *bundle_in_bytes(struct bundle_in *b, const char *name, size_t *n, struct err *e) MUST_USE;
/*
 * Reads the next member, which must be called `name`, as a vocabulary of at most 32 MiB of text.
 * Overwrites *v without freeing it; on error it is empty.
 */
int bundle_in_vocab(struct bundle_in *b, const char *name, struct vocab *v, struct err *e) MUST_USE;
/*
 * Reads the next members, which must be exactly the parameters of p in their order.  The names,
 * types, shapes and sizes in the table are checked for all parameters before params_allocate(p,
 * gradients) is called.  Sets `i8` of each parameter.  A parameter that the caller marked as narrow
 * (tape/params.h) remains so only if the file has it as i8.
 */
int bundle_in_params(struct bundle_in *b, struct params *p, bool gradients,
		     struct err *e) MUST_USE;

/*
 * Ends the reading and frees b.  `r` is the result so far, 0 or -1.  If it is 0, the remaining
 * members and `end` are checked, too.  Returns 0 or -1.  On error, the name of the file and the
 * fault are put at the beginning of the message in e.
 */
int bundle_in_close(struct bundle_in *b, int r, struct err *e) MUST_USE;
/* Frees b without checking the rest of the file. */
void bundle_in_drop(struct bundle_in *b);

#endif
