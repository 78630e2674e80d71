/* pick: reads selected sentences of a stream, by their ids. */
#ifndef PICK_H
#define PICK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "search/forced.h"
#include "stream/stream.h"

struct pick {
	int n;
	char **id;			/* [n] ids as text */
	struct record **rec;		/* [n] copies of the records */
	int64_t *number;		/* [n] their numbers in the stream, from 0 */
};

/*
 * Reads the sentences of a list of ids separated by commas, in its order, or the first sentence if
 * ids is NULL.  Reads the stream to its end, to verify that it is complete.  Returns -1 with
 * EXIT_INPUT if a sentence is missing.
 */
int pick_read(struct pick *p, struct reader *in, const char *ids, struct err *e) MUST_USE;
/*
 * Chooses the target of each sentence with forced_choose(), and drops sentences that are too long
 * if t says to skip them.  Returns -1 with EXIT_INPUT, naming the id, also if no sentence remains.
 */
int pick_choose(struct pick *p, const struct model *m, enum forced_target whose,
		struct too_long *t, const char *name, struct err *e) MUST_USE;
void pick_release(struct pick *p);

#endif
