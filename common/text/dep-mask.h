/*
 * dep-mask: which pieces of a sentence a dependency tree allows to look at each other.
 *
 * Two words are linked if one is the head of the other; a mask is symmetric and has its diagonal.
 * Cells are bits, as a stream has them: row i begins at byte i * dep_mask_stride(n), column j is
 * bit j % 8 of its byte j / 8, from the lowest; bits beyond the last column are 0.
 */
#ifndef DEP_MASK_H
#define DEP_MASK_H

#include <stddef.h>
#include <stdint.h>

static inline size_t
dep_mask_stride(int n)
{
	return ((size_t)n + 7) / 8;
}

/*
 * All pieces of linked words, and those of one word: word[n] the word of each piece, from 0, head
 * the head of each word, from 1, 0 the root; both checked (piece-heads.h).
 */
void dep_mask_words(const int32_t *word, int n, const int32_t *head, uint8_t *bits);

/* Linked pieces: arc[n] the piece, from 0, on which each one hangs (piece_heads()). */
void dep_mask_pieces(const int32_t *arc, int n, uint8_t *bits);

#endif
