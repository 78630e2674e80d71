/*
 * aligner: word alignment in one direction, by models that are trained on the sentence pairs
 * themselves with expectation maximization: IBM model 1 (Brown et al. 1993, The mathematics of
 * statistical machine translation: parameter estimation), and then the hidden Markov model (hmm.h).
 *
 * In IBM model 1, each target word f_j is the translation of one source word of its sentence pair
 * or of the empty word, all of which are equally probable, with the probability t(f_j | e_i) of
 * translation-table.h.  The results have the same bits for any number of threads.
 */
#ifndef ALIGNER_H
#define ALIGNER_H

#include "align/bitext.h"
#include "align/translation-table.h"

struct pool;

struct aligner_options {
	int ibm1, hmm;			/* numbers of iterations; if hmm is 0, IBM model 1 makes the
					 * alignments */
	double null;			/* probability of the empty word in the HMM */
	double prior;			/* the `prior` of translation_table_estimate(); 0: maximum
					 * likelihood */
	int longest;			/* sentence pairs with more words on a side are left out of
					 * the training, and source_of is -1 for their words */
};

/*
 * `tell` is called after each iteration with the name of the model, the number of the iteration
 * from 1, and the perplexity per target word under the parameters before this iteration.
 */
struct aligner_progress {
	void (*tell)(void *arg, const char *model, int iteration, double perplexity);
	void *arg;
};

/*
 * Trains the models on b, and aligns it.  j is an index of b->tgt.word: all target words of the
 * corpus are numbered together.  Sets `source_of[j]` to the index, from 0, of a word in the source
 * sentence of j, or to -1 for the empty word.
 */
void aligner_run(const struct bitext *b, const struct aligner_options *o, struct pool *p,
		 const struct aligner_progress *progress, int *source_of);

/*
 * Initializes t with the probabilities after these iterations of IBM model 1 alone; the caller
 * releases it.
 */
void aligner_ibm1(const struct bitext *b, int iterations, double prior, struct pool *p,
		  struct translation_table *t);

#endif
