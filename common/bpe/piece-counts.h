/*
 * piece-counts: reads lines "subword frequency", as bpe-learn --write-vocabulary and subword-nmt
 * write them.
 */
#ifndef PIECE_COUNTS_H
#define PIECE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

/*
 * Takes a subword of n bytes of UTF-8 and its frequency, which is at least 0; -1 ends the
 * reading.
 */
typedef int piece_counts_take(void *arg, const char *s, size_t n, int64_t count, struct err *e);

/*
 * Calls `take` for each line.  -1 and a message with the line if it is malformed or `take` fails.
 */
int piece_counts_read(const char *text, size_t n, piece_counts_take *take, void *arg,
		      struct err *e) MUST_USE;

#endif
