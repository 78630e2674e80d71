/*
 * hmm: the hidden Markov model of word alignment (Vogel, Ney and Tillmann 1996, HMM-based word
 * alignment in statistical translation), with an empty word as in Och and Ney (2003, A systematic
 * comparison of various statistical alignment models, section 2.1.2).
 *
 * Words count from 0.  Target word j of J is produced by source word i of I, or by the empty word,
 * which remembers the last source word k before it.  At the beginning there is no k.  The next
 * target word is produced
 *
 *	by the empty word	with probability null,
 *	by source word i	with probability (1 - null) w(i - k) / sum over i' of w(i' - k),
 *	... at the beginning	with probability (1 - null) v(i) / sum over i' of v(i').
 *
 * The weights of jumps w, and of first words v, have a class for each distance up to HMM_JUMPS.  A
 * jump that is longer has the weight of HMM_JUMPS, divided by HMM_TAIL.
 *
 * An emission is the probability t(f_j | e_i).  Arrays of J x (I + 1) elements have a row for each
 * target word; element 0 of a row is the empty word, element i + 1 source word i.
 */
#ifndef HMM_H
#define HMM_H

#include <stddef.h>

enum { HMM_JUMPS = 32, HMM_TAIL = 8, HMM_CLASSES = 2 * HMM_JUMPS + 1 };

struct hmm {
	double null;
	double jump[HMM_CLASSES];	/* w(d) is jump[d + HMM_JUMPS] */
	double start[HMM_JUMPS + 1];	/* v(i) */
};

/* Expected numbers of jumps and of first words, by class. */
struct hmm_counts { double jump[HMM_CLASSES], start[HMM_JUMPS + 1]; };

/* Scratch memory, zero-initialized, which grows as needed. */
struct hmm_work { double *v; int *back; size_t room, back_room; };

void hmm_init(struct hmm *h, double null);	/* equal weights */
void hmm_work_release(struct hmm_work *w);

/*
 * Sets `posterior` [J, I + 1] to the posterior probabilities of the links of a sentence, and
 * `counts` to its expected counts, from `emission` [J, I + 1]; I and J are at least 1.  Returns the
 * natural logarithm of the probability of the target sentence.
 */
double hmm_posteriors(const struct hmm *h, int n_src, int n_tgt, const double *emission,
		      double *posterior, struct hmm_counts *counts, struct hmm_work *w);

/* The most probable sequence: `source_of[j]` is the source word, or -1 for the empty word. */
void hmm_align(const struct hmm *h, int n_src, int n_tgt, const double *emission,
	       int *source_of, struct hmm_work *w);

/* Weights that are proportional to counts, with a part HMM_SMOOTH shared equally by all classes. */
#define HMM_SMOOTH 0.02
void hmm_estimate(struct hmm *h, const struct hmm_counts *counts);

#endif
