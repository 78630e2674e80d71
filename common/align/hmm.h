/*
 * hmm: the hidden Markov model of word alignment (Vogel, Ney and Tillmann 1996, HMM-based word
 * alignment in statistical translation), with an empty word as in Och and Ney (2003, A systematic
 * comparison of various statistical alignment models, section 2.1.2).
 *
 * Words count from 0.  J is the number of target words, and I the number of source words.  Each
 * target word is produced by a source word i or by the empty word.  Let k be the last source word
 * that has produced a target word; before the first such target word there is no k.  The next
 * target word is produced
 *
 *	by the empty word	with probability null,
 *	by source word i	with probability (1 - null) w(i - k) / sum over i' of w(i' - k)
 *				or, if there is no k, (1 - null) v(i) / sum over i' of v(i').
 *
 * The weights w(d) of jumps and v(i) of first source words are parameters for |d| and i up to
 * HMM_JUMPS.  Larger |d| and i have the weight for HMM_JUMPS, divided by HMM_TAIL.
 *
 * An emission is the probability t(f_j | e_i) that source word e_i, or the empty word, is
 * translated to target word f_j.  Arrays of J x (I + 1) elements have a row for each target word.
 * Element 0 of a row is for the empty word, element i + 1 for source word i.
 */
#ifndef HMM_H
#define HMM_H

#include <stddef.h>

enum { HMM_JUMPS = 32, HMM_TAIL = 8, HMM_CLASSES = 2 * HMM_JUMPS + 1 };

struct hmm {
	double null;			/* probability of the empty word */
	double jump[HMM_CLASSES];	/* w(d) is jump[d + HMM_JUMPS] */
	double start[HMM_JUMPS + 1];	/* v(i) */
};

/* Expected numbers of jumps and of first source words, indexed as in struct hmm. */
struct hmm_counts { double jump[HMM_CLASSES], start[HMM_JUMPS + 1]; };

/* Scratch memory, zero-initialized, which grows as needed. */
struct hmm_work { double *v; int *back; size_t room, back_room; };

void hmm_init(struct hmm *h, double null);	/* all weights equal */
void hmm_work_release(struct hmm_work *w);

/*
 * Runs the forward-backward algorithm for a sentence pair with I = `n_src` and J = `n_tgt` words,
 * both at least 1.  `emission` [J, I + 1] has the probabilities t(f_j | e_i).  Sets `posterior` [J,
 * I + 1] to the probability, given the sentence pair, that f_j is produced by each source word or
 * the empty word.  Sets `counts` to the expected counts.  Returns the natural logarithm of the
 * probability of the target sentence.
 */
double hmm_posteriors(const struct hmm *h, int n_src, int n_tgt, const double *emission,
		      double *posterior, struct hmm_counts *counts, struct hmm_work *w);

/*
 * Finds the most probable sequence of source words (Viterbi algorithm): sets `source_of[j]` to the
 * source word that produces target word j, or to -1 for the empty word.
 */
void hmm_align(const struct hmm *h, int n_src, int n_tgt, const double *emission,
	       int *source_of, struct hmm_work *w);

/*
 * Sets the weights w in proportion to the counts of jumps, and v in proportion to those of first
 * source words.  A share HMM_SMOOTH of each total is divided equally among the weights.  Weights
 * whose total is 0 stay.
 */
#define HMM_SMOOTH 0.02
void hmm_estimate(struct hmm *h, const struct hmm_counts *counts);

#endif
