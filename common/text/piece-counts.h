/* piece-counts: lines "piece count", as bpe-learn --write-vocabulary and subword-nmt make them. */
#ifndef PIECE_COUNTS_H
#define PIECE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

/* A line: piece [s, s+n), which is UTF-8; counts are 0 or more.  -1 ends the reading. */
typedef int piece_counts_take(void *arg, const char *s, size_t n, int64_t count, struct err *e);

/* -1 and EXIT_INPUT, naming the line, on anything else than such lines, or if take says no. */
int piece_counts_read(const char *text, size_t n, piece_counts_take *take, void *arg,
		      struct err *e) MUST_USE;

#endif
