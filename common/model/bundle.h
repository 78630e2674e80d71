/*
 * bundle: the container of every model; see heed-model(5).
 *
 * A pax tar: first a msgpack map, named after what the file is, then named members, which
 * are bytes or parameters and whose sizes and sums stand in the map's table "members", and
 * last `end` with the sum of everything.  What the map says and which members there are
 * is for the caller: model-file.h for translation models.  Names of members have no blanks or
 * tabs.  The same contents give the same bytes.
 */
#ifndef BUNDLE_H
#define BUNDLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cli.h"
#include "base/err.h"
#include "stream/stream.h"
#include "tape/params.h"
#include "text/vocab.h"

struct bundle_kind {
	const char *map;	/* name of the first member: "heed-model" */
	int format;		/* the map's number "format"; no other is read */
	bool i8;		/* parameters may be i8; otherwise f32 only */
};

/*
 * Writing.  The file appears under its name when bundle_out_finish() has written it; nothing in
 * between fails.  Members stand in the order in which they are added; what is added
 * stays the caller's, and as it is until the end, and so does kind.
 */
struct bundle_out;

struct bundle_out *bundle_out_open(const char *path, const struct bundle_kind *kind,
				   struct err *e) MUST_USE;

/* The map, for keys of the caller's; it has "format" already, and gets "members" at the end. */
struct record *bundle_out_map(struct bundle_out *b);
void bundle_out_text(struct bundle_out *b, const char *key, const char *text);
/* cli_settings_describe() as a text. */
void bundle_out_settings(struct bundle_out *b, const char *key, const struct opt *table,
			 const void *state);

/* type: "text" or "bytes". */
void bundle_out_bytes(struct bundle_out *b, const char *name, const char *type, const void *p,
		      size_t n);
void bundle_out_vocab(struct bundle_out *b, const char *name, const struct vocab *v);
/* As param/NAME: exactly (in single precision), or in a byte a number and a scale a row. */
void bundle_out_param(struct bundle_out *b, const struct param *p);
void bundle_out_param_i8(struct bundle_out *b, const struct param *p);

/* Writes everything and frees b, also on error.  Exit 5 if a parameter is not finite. */
int bundle_out_finish(struct bundle_out *b, struct err *e) MUST_USE;

/*
 * Reading.  Nothing is believed: the tar's blocks, the map, each member's name, size and sum,
 * the table, and `end`.  Memory is taken only for what the file has bytes for.  Errors are
 * EXIT_INPUT, but for a file that cannot be opened or read.
 *
 *	b = bundle_in_open(path, &kind, e);
 *	if (!b)
 *		return -1;
 *	r = bundle_in_settings(b, "config", ...) || bundle_in_vocab(b, "words", ...) ||
 *	    bundle_in_params(b, &params, false, e) ? -1 : 0;
 *	return bundle_in_close(b, r, e);
 */
struct bundle_in;

/* Does the file begin as one of this kind does?  False, too, if it cannot be read. */
bool bundle_is(const char *path, const struct bundle_kind *kind);

struct bundle_in *bundle_in_open(const char *path, const struct bundle_kind *kind,
				 struct err *e) MUST_USE;
/* From bytes in memory, which stay the caller's until the end; name is for messages. */
struct bundle_in *bundle_in_memory(const char *name, const void *p, size_t n,
				   const struct bundle_kind *kind, struct err *e) MUST_USE;

/* What is in the map; it lives until the end.  Texts are malloc'ed, without NUL bytes. */
const struct record *bundle_in_map(const struct bundle_in *b);
char *bundle_in_text(const struct bundle_in *b, const char *key, struct err *e) MUST_USE;
/* cli_settings() of a text: what it does not name stays as it is in state. */
int bundle_in_settings(struct bundle_in *b, const char *key, const struct opt *table,
		       void *state, struct err *e) MUST_USE;

/*
 * What is wrong with a file that cannot be read; bundle_in_close() begins its message with it.
 * A file is damaged unless bundle_in_fault() says otherwise, and always if its sums are wrong.
 * BUNDLE_CONTENT: it is as it was written, but cannot be used.
 */
enum bundle_fault {
	BUNDLE_DAMAGED, BUNDLE_TRUNCATED, BUNDLE_NEWER, BUNDLE_OLDER, BUNDLE_CONTENT
};
/* For what a caller finds in map or members: e becomes EXIT_INPUT.  Returns -1. */
int bundle_in_fault(struct bundle_in *b, enum bundle_fault fault, struct err *e);

/* The name of the member that comes next, NULL behind the last; is it this one? */
const char *bundle_in_next(const struct bundle_in *b);
bool bundle_in_is(const struct bundle_in *b, const char *name);

/* The next member, which must have this name: malloc'ed, with a NUL byte behind it. */
char *bundle_in_bytes(struct bundle_in *b, const char *name, size_t *n, struct err *e) MUST_USE;
/* v is overwritten, and empty on error; at most 32 MiB of text are taken. */
int bundle_in_vocab(struct bundle_in *b, const char *name, struct vocab *v, struct err *e) MUST_USE;
/*
 * The next members, which must be just these parameters in their order.  The table's names, types,
 * shapes and sizes are compared with all of them before params_allocate() is called here.
 */
int bundle_in_params(struct bundle_in *b, struct params *p, bool gradients,
		     struct err *e) MUST_USE;

/*
 * Ends a reading that went well if r is 0: then the members that are left and `end` are
 * checked, too.  Otherwise, or if they are damaged, the file's name is put in front of e.  Frees b.
 * Returns 0 or -1.
 */
int bundle_in_close(struct bundle_in *b, int r, struct err *e) MUST_USE;
void bundle_in_drop(struct bundle_in *b);	/* the rest is not wanted; frees b */

#endif
