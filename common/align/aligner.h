/*
 * aligner: word alignment in one direction, by models that are trained on the sentence pairs
 * themselves with expectation maximization: IBM model 1 (Brown et al. 1993, The mathematics of
 * statistical machine translation: parameter estimation), and then the hidden Markov model (hmm.h).
 *
 * IBM model 1 has the translation probabilities t(f_j | e_i) of hmm.h; all source words and the
 * empty word are equally probable.  The results have the same bits for any number of threads.
 */
#ifndef ALIGNER_H
#define ALIGNER_H

#include "align/bitext.h"
#include "align/translation-table.h"

struct pool;

struct aligner_options {
	int ibm1, hmm;			/* iterations; without hmm, IBM model 1 aligns */
	double null;			/* probability of the empty word in the HMM */
	double prior;			/* of translation_table_estimate(); 0: maximum likelihood */
	int longest;			/* sentences with more words on a side are not aligned */
};

/* Called after each iteration with the perplexity of target words under the previous estimate. */
struct aligner_progress {
	void (*tell)(void *arg, const char *model, int iteration, double perplexity);
	void *arg;
};

/*
 * Sets `source_of[j]`, for all target words j of b, to the index of a word in the source sentence,
 * from 0, or to -1 for the empty word.
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
