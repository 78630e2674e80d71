/* json-parts: the internals of the JSON reader; its interface is json-in.h. */
#ifndef JSON_PARTS_H
#define JSON_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"
#include "stream/type.h"

/* The reader: the text from start to end, of which p is the next byte. */
struct json {
	const char *start, *p, *end;	/* *end is a NUL byte */
	const struct header *types;	/* of json_read(); may be NULL */
	bool plain;			/* as in json_read_plain(): no key is special */
	bool large;			/* integers of more than 64 bits become floats */
	struct buf text;		/* the last string read */
	struct buf cells;		/* the elements of the tensor that is being read */
	struct err *e;
};

/* Sets EXIT_INPUT and the message, with the number of the next byte; returns -1. */
int json_fail(struct json *j, const char *message);
void json_skip_space(struct json *j);
/* Skips white space, and then c if it is the next byte; returns whether it is. */
bool json_eat(struct json *j, char c);
/*
 * Read a string or a number.  The string replaces the contents of b, without quotes and escapes.
 * Return 0, or -1 with an error.
 */
int json_string(struct json *j, struct buf *b);
int json_number(struct json *j, double *v);

/*
 * Reads a tensor of type t: nested lists of numbers or, for bits, of strings of 0 and 1.  Appends
 * its msgpack encoding {"s": shape, "d": data} to `out`.
 */
int json_tensor(struct json *j, const struct type *t, struct buf *out);

/*
 * Reads the rest of an object {"$name": value}, after the colon, and appends the msgpack encoding
 * of the value that it stands for to `out`.  The key is in j->text; `depth` is the number of arrays
 * and maps around the object.
 */
int json_special(struct json *j, struct buf *out, int depth);

#endif
