/*
 * unknown: counts the tokens of a stream that are not in a model's vocabulary.
 *
 * Subwords made with other BPE codes than the model's are not malformed; this is how they are
 * detected.
 */
#ifndef UNKNOWN_H
#define UNKNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/stream.h"
#include "text/vocab.h"
#include "text/word-count.h"

struct unknown { int64_t tokens[2], unknown[2]; };	/* of source and target */

/* Counts the tokens of a record as batch_make() reads them.  tgt may be NULL: only the source. */
void unknown_add(struct unknown *u, const struct record *rec, const struct vocab *src,
		 const struct vocab *tgt);
/* Counts all tokens of a side, 0 or 1, of a stream. */
void unknown_add_counts(struct unknown *u, int side, const struct word_count *tokens,
			const struct vocab *v);

/*
 * Warns about a side of which more than a fifth is unknown, if that is at least ten tokens.
 * input: the name of the stream; with: how the model segments text, which the warning then
 * mentions, or NULL.
 */
void unknown_warn(const struct unknown *u, const char *input, const char *with);

#endif
