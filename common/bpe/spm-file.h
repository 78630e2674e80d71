/*
 * spm-file: reads and checks the file of a SentencePiece model (Kudo and Richardson 2018).  The
 * file is a protobuf message, with the fields of sentencepiece_model.proto.
 *
 * heed reads the entries of the vocabulary itself.  Before libsentencepiece gets the bytes, heed
 * also checks what the library relies on without checking it.
 */
#ifndef SPM_FILE_H
#define SPM_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "stream/stream.h"

enum { SPM_MAX_FILE = 64 << 20 };	/* bytes; the largest known model has 16 MB */

/*
 * An entry of the vocabulary, a subword.  `text` points into the bytes of the file.  `score` is 0
 * if the file gives no score.  `user`: a user-defined entry, which is never divided into smaller
 * ones.
 */
struct spm_entry { struct str text; float score; bool user; };

/*
 * A loop over the entries in the order of the file, which is the order of their numbers from 0.
 * spm_walk() starts the loop over the file with the n bytes at p, which must outlive the loop.
 */
struct spm_walk { const unsigned char *p, *end; int n; };
void spm_walk(struct spm_walk *w, const void *p, size_t n);
/*
 * Sets *entry to the next entry and returns 1, or returns 0 after the last entry.  Returns -1 with
 * EXIT_INPUT if the bytes are not a protobuf message, if an entry has no text, or if the file has
 * no entries.
 */
int spm_next(struct spm_walk *w, struct spm_entry *entry, struct err *e) MUST_USE;

/* Are the n bytes at p the file of a unigram model?  A file that names no type of model is one. */
bool spm_is_unigram(const void *p, size_t n);

/*
 * Returns -1 with EXIT_INPUT unless libsentencepiece can safely use the n bytes at p as a model:
 * the texts of entries are UTF-8 without NUL, scores are finite, and the tables of normalization
 * contain no reference outside themselves.  The file of bytes.h is also accepted, although it has
 * no entries.
 */
int spm_check(const void *p, size_t n, struct err *e) MUST_USE;

/*
 * The table of the texts that a SentencePiece model replaces in normalization.
 *
 * The table consists of the size of a trie in bytes, the trie, which is a double array of
 * darts-clone, and the replacements, each with a NUL byte after it.  The size and the elements of
 * the trie are little-endian numbers of 32 bits.  libsentencepiece uses these numbers without
 * checking them.
 */

/*
 * Returns true if all references that can be reached from the root of the trie stay within the
 * table, n bytes at p.  Returns false also if the trie has a cycle, if a text has more prefixes in
 * the trie than the library has room for or more than 128 bytes, or if a replacement is not UTF-8
 * or longer than 1,024 bytes.  A table of 0 bytes is valid and has no texts.
 */
bool spm_charsmap_fits(const unsigned char *p, size_t n);

#endif
