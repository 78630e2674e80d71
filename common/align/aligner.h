/*
 * aligner: word alignment in one direction.  The models are trained with expectation maximization
 * on the sentence pairs that are aligned: first IBM model 1 (Brown et al. 1993, The mathematics of
 * statistical machine translation: parameter estimation), then the hidden Markov model (hmm.h).
 *
 * In IBM model 1, each target word f_j is the translation of one word e_i: a source word of its
 * sentence pair, or the empty word.  All e_i of a pair are equally probable, and e_i is translated
 * to f_j with the probability t(f_j | e_i) of translation-table.h.  The results have the same bits
 * for any number of threads.
 */
#ifndef ALIGNER_H
#define ALIGNER_H

#include "align/bitext.h"
#include "align/translation-table.h"

struct pool;

struct aligner_options {
	int ibm1, hmm;			/* numbers of iterations of the two models; if hmm is 0, IBM
					 * model 1 makes the alignments */
	double null;			/* probability of the empty word in the HMM */
	double prior;			/* the `prior` of translation_table_estimate(); 0: maximum
					 * likelihood */
};

/*
 * `tell` is called after each iteration, with `arg`, the name of the model, the number of the
 * iteration from 1, and the perplexity per target word under the parameters before this iteration.
 */
struct aligner_progress {
	void (*tell)(void *arg, const char *model, int iteration, double perplexity);
	void *arg;
};

/*
 * Trains the models on the sentence pairs of b, and aligns these pairs.  For target word
 * b->tgt.word[j], sets `source_of[j]` to the position of its source word in the source sentence,
 * from 0, or to -1 for the empty word.  `source_of` has b->tgt.n elements.  `p` and `progress` may
 * be NULL.
 */
void aligner_run(const struct bitext *b, const struct aligner_options *o, struct pool *p,
		 const struct aligner_progress *progress, int *source_of);

/*
 * Trains only IBM model 1, and initializes t with its probabilities after the last iteration.
 * `prior` is that of struct aligner_options.  The caller releases t.
 */
void aligner_ibm1(const struct bitext *b, int iterations, double prior, struct pool *p,
		  struct translation_table *t);

#endif
