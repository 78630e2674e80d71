/*
 * piece-counts: vocabularies with lines "subword frequency", as bpe-learn --write-vocabulary and
 * subword-nmt write them.
 */
#ifndef PIECE_COUNTS_H
#define PIECE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/err.h"
#include "text/word-count.h"

/*
 * A function that is called with a subword of n bytes, in UTF-8, and its frequency, which is at
 * least 0.  It returns 0, or -1 with an error to end the reading.
 */
typedef int piece_counts_take(void *arg, const char *s, size_t n, int64_t count, struct err *e);

/*
 * Calls `take` for each line of the n bytes of `text`.  Returns -1 with EXIT_INPUT if a line is
 * malformed, or with the error of `take`.  The message begins with the number of the line.
 */
int piece_counts_read(const char *text, size_t n, piece_counts_take *take, void *arg,
		      struct err *e) MUST_USE;

/*
 * Segments `words` by the text of BPE codes in `codes`, and writes a line "subword frequency" for
 * each subword to the file `path`, most frequent first.  `separator` is appended to subwords that
 * do not end a word.  Returns -1 with the error of bpe_read() or output_all().
 */
int piece_counts_write(const struct buf *codes, const struct word_count *words,
		       const char *separator, const char *path, struct err *e) MUST_USE;

#endif
