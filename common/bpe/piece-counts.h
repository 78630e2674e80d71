/* piece-counts: lines "subword frequency" of bpe-learn --write-vocabulary and subword-nmt. */
#ifndef PIECE_COUNTS_H
#define PIECE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "text/word-count.h"

/*
 * A function that is called with a subword, n bytes of UTF-8, and its frequency, at least 0.  It
 * returns 0, or -1 with an error to end the reading.
 */
typedef int piece_counts_take(void *arg, const char *s, size_t n, int64_t count, struct err *e);

/*
 * Calls `take` for each line.  Returns -1 and a message with the number of the line if a line is
 * malformed or `take` fails.
 */
int piece_counts_read(const char *text, size_t n, piece_counts_take *take, void *arg,
		      struct err *e) MUST_USE;

/*
 * Segments the words by BPE codes, and writes a line "subword frequency" for each subword to path,
 * most frequent first.  The separator is appended to subwords that do not end a word.
 */
int piece_counts_write(const struct buf *codes, const struct word_count *words,
		       const char *separator, const char *path, struct err *e) MUST_USE;

#endif
