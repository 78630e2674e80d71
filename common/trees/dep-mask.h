/*
 * dep-mask: the attention mask of a dependency tree, over the subwords of a sentence (Zhang, Huang,
 * Feng and Cao 2021, Enlivening redundant heads in multi-head self-attention for machine
 * translation, equation 5).
 *
 * Two words are linked if one is the head of the other.  A mask over n subwords has n rows and n
 * columns; it is symmetric, and its diagonal is true.  Its elements are bits, as in a stream: row i
 * begins at byte i * dep_mask_stride(n), and column j is bit j % 8 of byte j / 8 of the row.  Bit 0
 * is the lowest.  Bits after the last column are 0.
 */
#ifndef DEP_MASK_H
#define DEP_MASK_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of a row of a mask over n subwords. */
static inline size_t
dep_mask_stride(int n)
{
	return ((size_t)n + 7) / 8;
}

/* Both functions overwrite `bits`, which has room for n * dep_mask_stride(n) bytes. */

/*
 * Sets `bits` to the mask that is true for two subwords if they belong to linked words or to the
 * same word.  `word[n]` is the word of each of the n subwords, from 0.  `head` is the head of each
 * word, from 1, or 0 for a root.  `word` must have passed pieces_check() (piece-heads.h), and
 * `head` dep_check() (conllu.h).
 */
void dep_mask_words(const int32_t *word, int n, const int32_t *head, uint8_t *bits);

/*
 * Sets `bits` to the mask that is true for two subwords if one is the head of the other, or both
 * are the same.  `arc[n]` is the head of each subword, from 0, as piece_heads() sets it
 * (piece-heads.h); a root may be its own head.
 */
void dep_mask_pieces(const int32_t *arc, int n, uint8_t *bits);

#endif
