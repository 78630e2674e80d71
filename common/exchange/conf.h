/*
 * conf: reads settings of models of other toolkits, JSON and YAML files such as config.json,
 * model.yml and vocab.yml.
 *
 * The contents of a file are a tree of values: maps, lists, texts, numbers, truth values and null.
 * The root is a map.  In YAML, all scalars are texts; therefore, the functions below also read a
 * number or a truth value from a text.  Of YAML, only the part is read that Marian and PyYAML
 * write: block maps and lists, flow lists and maps, and plain and quoted scalars of one line, but
 * no anchors, tags, block scalars and merge keys.  A duplicate key in a map is an error.
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
	char *name;		/* name of the file, for messages */
	struct buf bytes;	/* private: the tree as msgpack */
	/*
	 * If the caller sets this member after opening: for each key that conf_want_int(),
	 * _float(), _bool() or _choice() did not find and that has a default, a line
	 * "KEY<tab>VALUE" is appended to *absent, where VALUE is the default.
	 */
	struct buf *absent;
};

/* A value in a struct conf, valid until conf_release().  `p` is NULL if there is no value. */
struct conf_value { const uint8_t *p, *end; };

/*
 * These overwrite *c with the contents of a file: the `n` bytes at `text`, which a NUL byte must
 * follow.  `name` is the name of the file, for messages, and is copied.  They return -1 with
 * EXIT_INPUT if the file is malformed, and *c is then empty.  The message names the line or the
 * byte of a syntax error.
 */
int conf_json(struct conf *c, const char *name, const char *text, size_t n,
	      struct err *e) MUST_USE;
int conf_yaml(struct conf *c, const char *name, const char *text, size_t n,
	      struct err *e) MUST_USE;
/*
 * Reads the file `path`, of at most 256 MiB: as YAML if its name ends in .yml or .yaml, else as
 * JSON.  With `list`, the root may also be a list.  Returns -1 as file_text() (file.h), conf_json()
 * and conf_yaml().
 */
int conf_open(struct conf *c, const char *path, bool list, struct err *e) MUST_USE;
/*
 * conf_open() for the file `name` in the folder of a model.  Returns -1 with EXIT_INPUT if the
 * folder has no such file.
 */
int conf_open_in(struct conf *c, const char *folder, const char *name, struct err *e) MUST_USE;
void conf_release(struct conf *c);

/* The root. */
struct conf_value conf_root(const struct conf *c);
/* The value of a key in a map.  There is no value if `v` is not a map, or does not have the key. */
struct conf_value conf_in(struct conf_value v, const char *key);
struct conf_value conf_get(const struct conf *c, const char *key);	/* in the root */

/* Whether `v` is a map; whether it is a list; whether it is absent or null. */
bool conf_is_map(struct conf_value v);
bool conf_is_list(struct conf_value v);
bool conf_is_none(struct conf_value v);

/*
 * If `v` has the type of the second argument, or is a text that spells such a value, these store
 * the value and return true.  Otherwise, they return false.
 */
bool conf_text(struct conf_value v, struct str *s);
bool conf_int(struct conf_value v, int64_t *i);
bool conf_float(struct conf_value v, double *x);
bool conf_bool(struct conf_value v, bool *b);

/*
 * A loop over the elements of a list or the pairs of a map, in order.  conf_walk() begins the loop;
 * if `v` is neither, the loop is empty.  conf_next() sets *v to the next value and *key to its key,
 * which is empty in a list.  It returns false after the last value.
 */
struct conf_walk { const uint8_t *p, *end; uint32_t left; bool map; };
void conf_walk(struct conf_walk *w, struct conf_value v);
bool conf_next(struct conf_walk *w, struct str *key, struct conf_value *v);

/*
 * Appends a value as text for messages, such as a text, a number, true, or [a, b].  It is cut after
 * about 60 bytes.
 */
void conf_show(struct conf_value v, struct buf *out);

/* Whether the root has a value for the key that is not null. */
bool conf_has(const struct conf *c, const char *key);

/*
 * These store the value of a key of the root in *x.  Before the call, *x is the default; if the
 * root does not have the key, *x is unchanged, and c->absent gets a line, except by
 * conf_want_text().  They return -1 with EXIT_INPUT if the value has another type, such as null, or
 * if an integer is below `min` or above `max`.
 */
int conf_want_int(const struct conf *c, const char *key, int64_t min, int64_t max, int64_t *x,
		  struct err *e) MUST_USE;
int conf_want_float(const struct conf *c, const char *key, double *x, struct err *e) MUST_USE;
int conf_want_bool(const struct conf *c, const char *key, bool *x, struct err *e) MUST_USE;
int conf_want_text(const struct conf *c, const char *key, struct str *s, struct err *e) MUST_USE;
/*
 * Begins a loop over the list that is the value of a key of the root.  If the root does not have
 * the key, the loop is empty.  Returns -1 with EXIT_INPUT if the value is not a list.
 */
int conf_want_list(const struct conf *c, const char *key, struct conf_walk *w,
		   struct err *e) MUST_USE;
/*
 * Sets *x to the index, in `choice`, of the text that is the value of a key of the root.  `choice`
 * ends with NULL.  Before the call, *x is the default; -1: none.  If the root does not have the
 * key, *x is unchanged.  Returns -1 with EXIT_INPUT for a value that is not in `choice`; the
 * message lists the choices.
 */
int conf_want_choice(const struct conf *c, const char *key, const char *const *choice, int *x,
		     struct err *e) MUST_USE;

/*
 * Unless c->absent is NULL, appends the line for an absent key whose default is `value`, if this
 * line is not there yet.  Returns 0.
 */
int conf_absent(const struct conf *c, const char *key, const char *value);

/*
 * Sets the error "FILE: KEY is VALUE, expected EXPECTED", with EXIT_INPUT, for a key of the root;
 * returns -1.
 */
int conf_refuse(const struct conf *c, const char *key, const char *expected, struct err *e);

#endif
