/* json-parts: the state of a JSON reader and its pieces; json-in.h is what others use. */
#ifndef JSON_PARTS_H
#define JSON_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "stream/stream.h"
#include "stream/type.h"

struct json {
	const char *start, *p, *end;	/* a NUL byte stands at end */
	const struct header *types;
	struct buf text;		/* the string read last */
	struct buf cells;		/* of a tensor */
	struct err *e;
};

int json_fail(struct json *j, const char *what);	/* -1, with the byte we are at */
void json_blanks(struct json *j);
bool json_eat(struct json *j, char c);			/* blanks, then this, if it is there */
int json_string(struct json *j, struct buf *b);
int json_number(struct json *j, double *v);

/* Lists of lists of numbers, or of strings of 0 and 1, as {"s": shape, "d": cells}. */
int json_tensor(struct json *j, const struct type *t, struct buf *out);

/* Behind {"$name": with the name in j->text: what stands for what JSON lacks. */
int json_special(struct json *j, struct buf *out, int depth);

#endif
