/*
 * piece-heads: dependencies between the pieces of words, from those between words.
 *
 * word[n] is the word of each piece, from 0, as src.word has it; head[n_words] the head of each
 * word, from 1, 0 the root, as src.heads has it.  A rule says which piece of a word, its bearer,
 * has the word's own arc and where the others hang:
 *
 *	PIECES_DEGUCHI	the last one bears the arc, to the first piece of the head; each of the
 *			others hangs on the piece behind it (Deguchi, Tamura and Ninomiya 2019)
 *	PIECES_FIRST	the first one bears it, to the first of the head; the others hang on it
 *	PIECES_LAST	the last one bears it, to the last of the head; the others hang on it
 *
 * The bearer of a root hangs on itself.
 */
#ifndef PIECE_HEADS_H
#define PIECE_HEADS_H

#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

enum piece_rule { PIECES_DEGUCHI, PIECES_FIRST, PIECES_LAST };

/*
 * Are these the pieces of n_words words: one of each at least, together and in order?  -1 and e
 * (EXIT_INPUT: "piece 3 is of word 7, expected ...", pieces from 1, words as they are numbered).
 */
int pieces_check(const int32_t *word, int n, int n_words, struct err *e) MUST_USE;

/* The first and the last of the pieces of word w. */
int piece_first(const int32_t *word, int n, int32_t w);
int piece_last(const int32_t *word, int n, int32_t w);

/*
 * out[n]: the piece, from 0, on which each piece hangs.  word and head have been checked:
 * pieces_check(), dep_check() (many roots are fine).
 */
void piece_heads(enum piece_rule rule, const int32_t *word, int n, const int32_t *head,
		 int32_t *out);

#endif
