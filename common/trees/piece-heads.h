/*
 * piece-heads: derives dependencies between subwords from those between words.
 *
 * word[n] is the word of each of n subwords, from 0, as in the field src.word.  head[n_words] is
 * the head of each word, from 1, or 0 for the root, as in src.heads.  One subword of each word, the
 * word's bearer, gets the arc of the word.  A rule selects the bearer, the subword of the head word
 * that becomes the head of the bearer, and the heads of the other subwords:
 *
 *	PIECES_DEGUCHI	The last subword is the bearer.  Its head is the first subword of the head
 *			word.  The head of each other subword is the next subword (Deguchi, Tamura
 *			and Ninomiya 2019).
 *	PIECES_FIRST	The first subword is the bearer.  Its head is the first subword of the head
 *			word.  The bearer is the head of the other subwords.
 *	PIECES_LAST	The last subword is the bearer.  Its head is the last subword of the head
 *			word.  The bearer is the head of the other subwords.
 *
 * The bearer of a root is its own head.
 */
#ifndef PIECE_HEADS_H
#define PIECE_HEADS_H

#include <stdint.h>

#include "base/compiler.h"
#include "base/err.h"

enum piece_rule { PIECES_DEGUCHI, PIECES_FIRST, PIECES_LAST };

/*
 * Checks that `word[n]` is in ascending order, and that each of `n_words` words has at least one
 * subword.  Returns 0, or -1 with EXIT_INPUT and a message such as "subword 3 belongs to word 7,
 * expected 1 or 2", in which subwords count from 1 and words from 0.
 */
int pieces_check(const int32_t *word, int n, int n_words, struct err *e) MUST_USE;

/*
 * Return the first and the last subword of word w; subwords and words count from 0.  If w is above
 * the last word, piece_first() returns n.
 */
int piece_first(const int32_t *word, int n, int32_t w);
int piece_last(const int32_t *word, int n, int32_t w);

/*
 * Sets `out[n]` to the head of each subword, from 0.  `word` must have passed pieces_check(), and
 * `head` dep_check() (conllu.h); several roots are allowed.
 */
void piece_heads(enum piece_rule rule, const int32_t *word, int n, const int32_t *head,
		 int32_t *out);

#endif
