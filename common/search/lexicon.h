/*
 * lexicon: translation probabilities of vocabulary entries, by IBM model 1 (Brown et al. 1993, The
 * mathematics of statistical machine translation: parameter estimation).
 *
 * The probability of a target sentence f of m tokens, given a source sentence e of l tokens and the
 * empty token e_0, is proportional to the product over j of the sum over i from 0 to l of
 * t(f_j | e_i).  Starting with equal probabilities, an iteration of expectation maximization sets
 *
 *	t(f | e) = c(f, e) / sum over f' of c(f', e),
 *	c(f, e) = sum over sentence pairs and j with f_j = f and i with e_i = e
 *	          of t(f | e) / sum over i' of t(f | e_i').
 */
#ifndef LEXICON_H
#define LEXICON_H

#include <stddef.h>
#include <stdint.h>

/* Tokens of all sentences of a side: sentence i has token[start[i] .. start[i + 1]). */
struct lexicon_side {
	int n_vocab;
	int *token;
	size_t *start;
	size_t n, room, start_room;
};

/* The entries that occur in a translation of a source entry, by descending probability. */
struct lexicon_entry { int target; float probability; };

struct lexicon {
	struct lexicon_side src, tgt;
	size_t sentences;
	size_t *first;			/* [n_src + 1] after lexicon_train(): where the entries of
					 * a source entry are in `entry` */
	struct lexicon_entry *entry;
	int64_t *count;			/* [n_tgt] occurrences of target entries */
};

void lexicon_init(struct lexicon *x, int n_src, int n_tgt);
void lexicon_release(struct lexicon *x);
/*
 * Adds a sentence pair.  Special tokens, ids below VOCAB_SPECIALS, are left out.  A pair takes 4
 * bytes per token.
 */
void lexicon_add(struct lexicon *x, int n_src, const int *src, int n_tgt, const int *tgt);
/*
 * Sets the entries, after the last lexicon_add().  Takes 16 bytes for each pair of entries that
 * occur in the same sentence pair.
 */
void lexicon_train(struct lexicon *x, int iterations);

#endif
