/*
 * conf: settings of a model of another toolkit: config.json, model.yml, vocab.yml and others.
 *
 * JSON and YAML become the same tree, in which a file is a map.  Values of YAML are texts, so the
 * functions below also read a number or a truth value from a text.  Only the part of YAML that
 * Marian and PyYAML write is read: block maps and lists, flow lists and maps, and plain and quoted
 * scalars of one line, but no anchors, tags, block scalars and merge keys.  A duplicate name in a
 * map is an error.
 */
#ifndef CONF_H
#define CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"

struct conf {
	char *name;		/* of the file, for messages */
	struct buf bytes;	/* msgpack */
	/*
	 * If the caller sets it: receives a line "KEY<tab>VALUE" for each key that conf_want_*()
	 * did not find, with the value used instead.
	 */
	struct buf *absent;
};

/* A value in a struct conf, valid until conf_release(); p is NULL if there is no value. */
struct conf_value { const uint8_t *p, *end; };

/*
 * Read a file with the n bytes at `text`, which a NUL byte must follow; `name`, which is copied, is
 * its name for messages.  Return -1 with EXIT_INPUT and a message with the line or byte.  c is
 * overwritten, and is empty on error.
 */
int conf_json(struct conf *c, const char *name, const char *text, size_t n,
	      struct err *e) MUST_USE;
int conf_yaml(struct conf *c, const char *name, const char *text, size_t n,
	      struct err *e) MUST_USE;
/* The same for a file of at most 256 MiB, which is YAML if its name ends in .yml or .yaml. */
int conf_open(struct conf *c, const char *path, struct err *e) MUST_USE;
/* The same for the file with this name in a folder of a model, which must be there. */
int conf_open_in(struct conf *c, const char *folder, const char *name, struct err *e) MUST_USE;
/* The same for a file that may also be a list. */
int conf_open_any(struct conf *c, const char *path, struct err *e) MUST_USE;
void conf_release(struct conf *c);

/* The whole tree. */
struct conf_value conf_root(const struct conf *c);
/* The value of a key of a map; no value if v is not a map or lacks the key. */
struct conf_value conf_in(struct conf_value v, const char *key);
struct conf_value conf_get(const struct conf *c, const char *key);	/* of the root */

/* Is v a map, a list, or absent or null? */
bool conf_is_map(struct conf_value v);
bool conf_is_list(struct conf_value v);
bool conf_is_none(struct conf_value v);

/* Store v and return true if it has this type, or is a text that spells a value of this type. */
bool conf_text(struct conf_value v, struct str *s);
bool conf_int(struct conf_value v, int64_t *i);
bool conf_float(struct conf_value v, double *x);
bool conf_bool(struct conf_value v, bool *b);

/*
 * A loop over the elements of a list or the pairs of a map, in order.  conf_next() returns false
 * after the last; *key is empty in a list.
 */
struct conf_walk { const uint8_t *p, *end; uint32_t left; bool map; };
void conf_walk(struct conf_walk *w, struct conf_value v);
bool conf_next(struct conf_walk *w, struct str *key, struct conf_value *v);

/*
 * Appends a value for messages: a text, a number, true, or [a, b]; it is cut after about 60 bytes.
 */
void conf_show(struct conf_value v, struct buf *out);

/* Does the root have a value of the key that is not null? */
bool conf_has(const struct conf *c, const char *key);

/*
 * Store the value of a key of the root in *x; without the key, *x is unchanged.  Return -1 with
 * EXIT_INPUT if the value has another type, such as null, or is an integer below `min` or above
 * `max`.
 */
int conf_want_int(const struct conf *c, const char *key, int64_t min, int64_t max, int64_t *x,
		  struct err *e) MUST_USE;
int conf_want_float(const struct conf *c, const char *key, double *x, struct err *e) MUST_USE;
int conf_want_bool(const struct conf *c, const char *key, bool *x, struct err *e) MUST_USE;
int conf_want_text(const struct conf *c, const char *key, struct str *s, struct err *e) MUST_USE;
/* The same for a list, which w then loops over; without the key, w has no elements. */
int conf_want_list(const struct conf *c, const char *key, struct conf_walk *w,
		   struct err *e) MUST_USE;
/*
 * The same for a value that must be one of the texts in `choice`; *x becomes its index.  Fails with
 * EXIT_INPUT, with a message that lists them, for other values.
 */
int conf_want_choice(const struct conf *c, const char *key, const char *const *choice, int *x,
		     struct err *e) MUST_USE;

/*
 * Adds a line to c->absent, unless it has one for this key: the key is absent, and `value` is used.
 * Returns 0.
 */
int conf_absent(const struct conf *c, const char *key, const char *value);

/* Sets the error "FILE: KEY is VALUE, expected EXPECTED", with EXIT_INPUT; returns -1. */
int conf_refuse(const struct conf *c, const char *key, const char *expected, struct err *e);

#endif
