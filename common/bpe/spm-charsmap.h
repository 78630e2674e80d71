/*
 * spm-charsmap: the table of the texts that a SentencePiece model replaces in normalization.
 *
 * It is the size of a trie in bytes, the trie, a double array of darts-clone, and the replacements,
 * each with a NUL byte after it.  Numbers are little-endian and have 32 bits.  libsentencepiece
 * follows it without a check.
 */
#ifndef SPM_CHARSMAP_H
#define SPM_CHARSMAP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Does everything that the root of the trie leads to stay within the table?  Also false if the trie
 * has a circle, if a text has more beginnings in it than the library has room for, and if a
 * replacement is not UTF-8 or longer than 1,024 bytes.  A table of no bytes is empty.
 */
bool spm_charsmap_fits(const unsigned char *p, size_t n);

#endif
