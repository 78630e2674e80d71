/*
 * conf: settings of a model of another toolkit: config.json, model.yml, vocab.yml and others.
 *
 * JSON and YAML become the same tree, in which a file is a map.  Values of YAML are texts; so the
 * functions below take a number or a switch from a text as well.  Of YAML, what Marian and PyYAML
 * write is read: block maps and lists, flow lists and maps, and plain and quoted scalars of one
 * line; not anchors, tags, block scalars and merge keys.  No name may be in a map twice.
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
	 * If it is set: "KEY<tab>VALUE" lines of the keys that conf_want_*() did not find, with
	 * the values that stay.
	 */
	struct buf *absent;
};

/* A value in it, which lives as long; p NULL: there is none. */
struct conf_value { const uint8_t *p, *end; };

/*
 * A NUL byte must follow the n bytes at text.  `name` is copied.  Errors are EXIT_INPUT and name
 * the file and the line or byte.  c is overwritten, and empty on error.
 */
int conf_json(struct conf *c, const char *name, const char *text, size_t n,
	      struct err *e) MUST_USE;
int conf_yaml(struct conf *c, const char *name, const char *text, size_t n,
	      struct err *e) MUST_USE;
/* The same of a file, which is YAML if its name ends in .yml or .yaml.  At most 256 MiB. */
int conf_open(struct conf *c, const char *path, struct err *e) MUST_USE;
/* The same of the file with this name in a folder. */
int conf_open_in(struct conf *c, const char *folder, const char *name, struct err *e) MUST_USE;
/* The same of a file that is a map or a list. */
int conf_open_any(struct conf *c, const char *path, struct err *e) MUST_USE;
void conf_release(struct conf *c);

struct conf_value conf_root(const struct conf *c);
/* The value of a key of a map, without one if v is no map or does not have it. */
struct conf_value conf_in(struct conf_value v, const char *key);
struct conf_value conf_get(const struct conf *c, const char *key);	/* of the root */

/* Is it a map, a list, or neither value nor null? */
bool conf_is_map(struct conf_value v);
bool conf_is_list(struct conf_value v);
bool conf_is_none(struct conf_value v);

/* false if it is none of these; a text that spells one is. */
bool conf_text(struct conf_value v, struct str *s);
bool conf_int(struct conf_value v, int64_t *i);
bool conf_float(struct conf_value v, double *x);
bool conf_bool(struct conf_value v, bool *b);

/*
 * Elements of a list or pairs of a map, in order; `key` is empty in a list.  false after the last.
 */
struct conf_walk { const uint8_t *p, *end; uint32_t left; bool map; };
void conf_walk(struct conf_walk *w, struct conf_value v);
bool conf_next(struct conf_walk *w, struct str *key, struct conf_value *v);

/* A value as people write it, for messages: text, number, true, [a, b]; cut after some 60 bytes. */
void conf_show(struct conf_value v, struct buf *out);

/* Does the root have a value of the key that is not null? */
bool conf_has(const struct conf *c, const char *key);

/*
 * The value of a key of the root; without the key, *x stays as it is.  EXIT_INPUT if the value is
 * of another kind, such as null, or an integer not within min and `max`.
 */
int conf_want_int(const struct conf *c, const char *key, int64_t min, int64_t max, int64_t *x,
		  struct err *e) MUST_USE;
int conf_want_float(const struct conf *c, const char *key, double *x, struct err *e) MUST_USE;
int conf_want_bool(const struct conf *c, const char *key, bool *x, struct err *e) MUST_USE;
int conf_want_text(const struct conf *c, const char *key, struct str *s, struct err *e) MUST_USE;
/* Without a list, w has no elements. */
int conf_want_list(const struct conf *c, const char *key, struct conf_walk *w,
		   struct err *e) MUST_USE;
/* The same as one of these texts, by its place; EXIT_INPUT with the list if it is none of them. */
int conf_want_choice(const struct conf *c, const char *key, const char *const *choice, int *x,
		     struct err *e) MUST_USE;

/* Lists a key that is not there in c->absent, once, with the value that it has then; returns 0. */
int conf_absent(const struct conf *c, const char *key, const char *value);

/* EXIT_INPUT: "FILE: KEY is VALUE, expected EXPECTED"; returns -1. */
int conf_refuse(const struct conf *c, const char *key, const char *expected, struct err *e);

#endif
