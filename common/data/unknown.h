/*
 * unknown: how many of a stream's symbols a model does not know.
 *
 * Pieces that were made with other codes are not wrong in form; this is how they show.
 */
#ifndef UNKNOWN_H
#define UNKNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/stream.h"
#include "text/vocab.h"

struct unknown { int64_t symbols[2], unknown[2]; };	/* of source and target */

/* The symbols of a record as batch_make() takes them; tgt NULL: of its source only. */
void unknown_add(struct unknown *u, const struct record *rec, const struct vocab *src,
		 const struct vocab *tgt);
/*
 * Warns of a side of which more than a fifth is unknown, and that not just a few words; codes: the
 * model has some.
 */
void unknown_warn(const struct unknown *u, bool codes);

#endif
