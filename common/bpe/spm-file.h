/*
 * spm-file: the file of a SentencePiece model (Kudo and Richardson 2018), a message of protobuf.
 *
 * heed reads the entries itself, and checks what libsentencepiece relies on without a check, before
 * the library gets the bytes.  The fields are those of sentencepiece_model.proto.
 */
#ifndef SPM_FILE_H
#define SPM_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "stream/stream.h"

enum { SPM_MAX_FILE = 64 << 20 };	/* bytes; the largest known model has 16 MB */

/*
 * An entry of the vocabulary.  `score` is 0 if it is absent in the file.  A `user` entry is never
 * divided into smaller ones.
 */
struct spm_entry { struct str text; float score; bool user; };

/*
 * A loop over the entries, in the order of the file, which is that of their numbers.  The n bytes
 * at p must outlive it.
 */
struct spm_walk { const unsigned char *p, *end; int n; };
void spm_walk(struct spm_walk *w, const void *p, size_t n);
/*
 * Returns 1 and the next entry, 0 after the last one, or -1 with EXIT_INPUT if the bytes are not a
 * protobuf message or the entry has no text.  A file without entries is an error, too.
 */
int spm_next(struct spm_walk *w, struct spm_entry *entry, struct err *e) MUST_USE;

/*
 * Is it a unigram model?  That is the default of the setting in which other models name their type.
 */
bool spm_is_unigram(const void *p, size_t n);

/*
 * Fails with EXIT_INPUT unless the model is safe to use: the texts of entries are UTF-8 without
 * NUL, scores are finite, and the tables of normalization refer to places within them.  The file of
 * bytes.h is safe, too, but has no entries.
 */
int spm_check(const void *p, size_t n, struct err *e) MUST_USE;

/*
 * The table of the texts that a SentencePiece model replaces in normalization.
 *
 * It is the size of a trie in bytes, the trie, a double array of darts-clone, and the replacements,
 * each with a NUL byte after it.  Numbers are little-endian and have 32 bits.  libsentencepiece
 * uses these numbers without a check.
 */

/*
 * Does everything that can be reached from the root of the trie stay within the table?  Also false
 * if the trie has a cycle, if a text has more prefixes in the trie than the library has room for,
 * and if a replacement is not UTF-8 or longer than 1,024 bytes.  A table of 0 bytes is valid and
 * has no texts.
 */
bool spm_charsmap_fits(const unsigned char *p, size_t n);

#endif
