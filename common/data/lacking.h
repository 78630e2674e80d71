/*
 * lacking: counts the sentences of a stream that lack a field that a model reads.
 *
 * A header with the field is enough for a model to accept the stream.  Without its tree, a sentence
 * is computed as by the plain Transformer, which is right for a few sentences that a parser left
 * out, and misleading for many.
 */
#ifndef LACKING_H
#define LACKING_H

#include <stdint.h>

#include "stream/stream.h"

enum { LACKING_FIELDS = 16 };
struct lacking {
	const struct field *read;	/* set by the caller; ends with {0}; not owned */
	int64_t sentences, without[LACKING_FIELDS];
};

/* Counts a record.  Fields after the first LACKING_FIELDS are not counted. */
void lacking_add(struct lacking *l, const struct record *rec);
/* Prints a warning for each field that sentences lack. */
void lacking_warn(const struct lacking *l);

#endif
