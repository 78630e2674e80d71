/* json-parts: the internals of the JSON reader; its interface is json-in.h. */
#ifndef JSON_PARTS_H
#define JSON_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"
#include "stream/type.h"

struct json {
	const char *start, *p, *end;	/* *end is a NUL byte */
	const struct header *types;
	bool plain;			/* no key is special */
	struct buf text;		/* the last string read */
	struct buf cells;		/* the elements of a tensor */
	struct err *e;
};

int json_fail(struct json *j, const char *message);	/* -1; the message names the byte */
void json_skip_space(struct json *j);
bool json_eat(struct json *j, char c);	/* skips white space, and c if it is next */
int json_string(struct json *j, struct buf *b);	/* reads a string, without its quotes */
int json_number(struct json *j, double *v);	/* reads a number */

/* Reads nested lists of numbers, or of strings of 0 and 1, and appends {"s": shape, "d": data}. */
int json_tensor(struct json *j, const struct type *t, struct buf *out);

/* Reads the rest of {"$name": value}, after the colon; the name is in j->text. */
int json_special(struct json *j, struct buf *out, int depth);

#endif
