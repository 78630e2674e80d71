/* pick: a few sentences of a stream, by their ids. */
#ifndef PICK_H
#define PICK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "model/forced.h"
#include "stream/stream.h"

struct pick {
	int n;
	char **id;			/* [n] each in turn: its id as text, ... */
	struct record **rec;		/* ... itself, ... */
	int64_t *number;		/* ... and its place in the stream, from 0 */
};

/*
 * The sentences of a list of ids with commas between them, in its order; NULL: the first.  Reads
 * all of the stream, which is not whole before its end.  EXIT_INPUT if one is missing.
 */
int pick_read(struct pick *p, struct reader *in, const char *ids, struct err *e) MUST_USE;
/*
 * forced_choose() of each, and then those are dropped that are too long, if they are to be skipped.
 * EXIT_INPUT with name and id, also if none is left.
 */
int pick_choose(struct pick *p, const struct model *m, enum forced_target whose,
		struct too_long *t, const char *name, struct err *e) MUST_USE;
void pick_release(struct pick *p);

#endif
