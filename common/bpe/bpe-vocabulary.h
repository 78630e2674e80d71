/* bpe-vocabulary: the subwords of a text segmented by BPE codes, with their frequencies. */
#ifndef BPE_VOCABULARY_H
#define BPE_VOCABULARY_H

#include "base/buf.h"
#include "base/err.h"
#include "text/word-count.h"

/*
 * Segments the words by BPE codes, and writes a line "subword frequency" for each subword to path,
 * most frequent first.  The separator is appended to subwords that do not end a word.
 */
int bpe_vocabulary_write(const struct buf *codes, const struct word_count *words,
			 const char *separator, const char *path, struct err *e) MUST_USE;

#endif
