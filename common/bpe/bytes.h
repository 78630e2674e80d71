/*
 * bytes: segmentation of raw text into its bytes in UTF-8, as for ByT5 (Xue et al. 2022, ByT5:
 * towards a token-free future).
 *
 * Where the file of a SentencePiece model is expected, a file that consists of the line "bytes"
 * stands for this segmentation; spm_read() (spm.h) reads both kinds of files.  The subword of a
 * byte from 0x21 to 0x7E is its character.  The subword of a space is U+2581, and that of any other
 * byte is <0xNN>, with upper-case hexadecimal digits.
 */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "stream/stream.h"

#define BYTES_FILE "bytes\n"

/* The number of subwords; the room for a subword and a NUL byte. */
enum { BYTES_ALL = 256, BYTES_ROOM = 8 };

/* Are these n bytes the contents of such a file, BYTES_FILE?  p may be NULL. */
bool bytes_is(const void *p, size_t n);

/* Stores the subword of a byte, with a NUL after it; returns its length. */
size_t bytes_spell(unsigned char byte, char text[BYTES_ROOM]);

/* Returns the byte that a subword of n bytes stands for, or -1 if it stands for none. */
int bytes_of(const char *s, size_t n);

/*
 * Appends the text of n subwords to `out`.  Bytes that are not UTF-8 are left out, as in the
 * library transformers.  NUL, line feed and carriage return become spaces, because a text is one
 * line.  A subword that stands for no byte, such as <extra_id_0>, is appended unchanged.
 */
void bytes_restore(const struct str *piece, size_t n, struct buf *out);

#endif
