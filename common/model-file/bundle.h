/*
 * bundle: the container of every model; see heed-model(5).
 *
 * A bundle is a pax tar archive.  Its first member is a msgpack map, named after the kind of file.
 * Then come named members, which are bytes or parameters; their sizes and checksums are in the
 * table "members" of the map.  The last member, `end`, has the checksum of everything before it.
 * The keys of the map and the names of members are defined by the caller, for translation models
 * by model-file.h.  Names of members contain no blanks or tabs.  The same contents give the same
 * bytes.
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
	int format;		/* the value of the map's key "format"; other values are refused */
	bool i8;		/* parameters may be i8 or f32; otherwise only f32 */
	const char *hint;	/* for files of other toolkits, or NULL */
};

/*
 * Writing.  The functions between bundle_out_open() and bundle_out_finish() cannot fail, and the
 * file appears under its name when bundle_out_finish() has written it.  Members are written in the
 * order in which they were added.  The caller owns what it adds, including kind, and must not
 * change it before bundle_out_finish().
 */
struct bundle_out;

struct bundle_out *bundle_out_open(const char *path, const struct bundle_kind *kind,
				   struct err *e) MUST_USE;

/*
 * The map, to which the caller adds its keys.  It already has "format"; bundle_out_finish() adds
 * "members".
 */
struct record *bundle_out_map(struct bundle_out *b);
void bundle_out_text(struct bundle_out *b, const char *key, const char *text);
/* Adds the text that cli_settings_describe() makes of `state`. */
void bundle_out_settings(struct bundle_out *b, const char *key, const struct opt *table,
			 const void *state);

/* Adds a member of n bytes.  `type`: "text" or "bytes". */
void bundle_out_bytes(struct bundle_out *b, const char *name, const char *type, const void *p,
		      size_t n);
void bundle_out_vocab(struct bundle_out *b, const char *name, const struct vocab *v);
/* Adds param/NAME in single precision, or as a byte per element and a scale per row. */
void bundle_out_param(struct bundle_out *b, const struct param *p);
/*
 * The same for a parameter that is not allocated.  `fill` stores elements [start, start + n) of p,
 * which are whole rows of its last dimension, in `out`.  It is called for all elements in order,
 * now and again by bundle_out_finish(), and must store the same finite values both times.  Returns
 * 0, or -1 with an error, which bundle_out_finish() returns.  With `i8`, the parameter has a byte
 * per element and a scale per row.
 */
typedef int bundle_fill(void *arg, const struct param *p, size_t start, size_t n, real *out,
			struct err *e);
void bundle_out_filled(struct bundle_out *b, const struct param *p, bool i8, bundle_fill *fill,
		       void *arg);
void bundle_out_param_i8(struct bundle_out *b, const struct param *p);

/*
 * Adds the parameters that are added from now on to *h, a hash_fnv1a(): param_digest() of each, and
 * its values as f32, as a reader has them.
 */
void bundle_out_digest(struct bundle_out *b, uint64_t *h);

/*
 * Writes the file and frees b, also on error.  Fails with EXIT_DIVERGED if a parameter is not
 * finite.
 */
int bundle_out_finish(struct bundle_out *b, struct err *e) MUST_USE;

/*
 * Reading.  The file is not trusted: the blocks of the tar, the map, the name, size and checksum of
 * each member, the table and `end` are checked.  No memory is allocated for contents that the file
 * is too short to hold.  Errors are EXIT_INPUT, except for a file that cannot be opened or read.
 *
 *	b = bundle_in_open(path, &kind, e);
 *	if (!b)
 *		return -1;
 *	r = bundle_in_settings(b, "config", ...) || bundle_in_vocab(b, "words", ...) ||
 *	    bundle_in_params(b, &params, false, e) ? -1 : 0;
 *	return bundle_in_close(b, r, e);
 */
struct bundle_in;

/* Does the file start like a bundle of this kind?  False if it cannot be read. */
bool bundle_is(const char *path, const struct bundle_kind *kind);

struct bundle_in *bundle_in_open(const char *path, const struct bundle_kind *kind,
				 struct err *e) MUST_USE;
/*
 * Reads from n bytes at p, which the caller must keep until bundle_in_close(); `name` is for
 * messages.
 */
struct bundle_in *bundle_in_memory(const char *name, const void *p, size_t n,
				   const struct bundle_kind *kind, struct err *e) MUST_USE;

/* The map; valid until bundle_in_close(). */
const struct record *bundle_in_map(const struct bundle_in *b);
/* A text of the map, without NUL bytes.  The caller frees it. */
char *bundle_in_text(const struct bundle_in *b, const char *key, struct err *e) MUST_USE;
/*
 * Parses a text of the map with cli_settings().  Settings that it lacks are unchanged in `state`.
 */
int bundle_in_settings(struct bundle_in *b, const char *key, const struct opt *table,
		       void *state, struct err *e) MUST_USE;

/*
 * Why a file cannot be read; bundle_in_close() starts its message with it.  The fault is
 * BUNDLE_DAMAGED unless bundle_in_fault() sets another, and always if a checksum is wrong.
 * BUNDLE_CONTENT: the file is as it was written, but cannot be used.
 */
enum bundle_fault {
	BUNDLE_DAMAGED, BUNDLE_TRUNCATED, BUNDLE_NEWER, BUNDLE_OLDER, BUNDLE_CONTENT
};
/* Sets the fault for an error that the caller found, and EXIT_INPUT in e.  Returns -1. */
int bundle_in_fault(struct bundle_in *b, enum bundle_fault fault, struct err *e);

/* The name of the next member; NULL after the last one. */
const char *bundle_in_next(const struct bundle_in *b);
/* Is this the name of the next member? */
bool bundle_in_is(const struct bundle_in *b, const char *name);

/*
 * Reads the next member, which must have this name.  Returns *n bytes followed by a NUL byte; the
 * caller frees them.
 */
char *bundle_in_bytes(struct bundle_in *b, const char *name, size_t *n, struct err *e) MUST_USE;
/* Overwrites v; on error v is empty.  The text of a vocabulary may have at most 32 MiB. */
int bundle_in_vocab(struct bundle_in *b, const char *name, struct vocab *v, struct err *e) MUST_USE;
/*
 * Reads the next members, which must be exactly these parameters in this order.  Names, types,
 * shapes and sizes in the table are checked for all of them before params_allocate() is called.
 * Of the parameters that are narrow, those that the file has as i8 remain so.
 */
int bundle_in_params(struct bundle_in *b, struct params *p, bool gradients,
		     struct err *e) MUST_USE;

/*
 * Ends the reading and frees b.  r is the result so far: 0 or -1.  If it is 0, the remaining
 * members and `end` are checked too.  On error the file name and the fault are prepended to e.
 * Returns 0 or -1.
 */
int bundle_in_close(struct bundle_in *b, int r, struct err *e) MUST_USE;
/* Frees b without checking the rest of the file. */
void bundle_in_drop(struct bundle_in *b);

#endif
