/*
 * aligner: word alignment in one direction, by models that are trained on the sentence pairs
 * themselves with expectation maximization: IBM model 1 (Brown et al. 1993, The mathematics of
 * statistical machine translation: parameter estimation), and then the hidden Markov model (hmm.h).
 *
 * IBM model 1 has t(f_j | e_i) as hmm.h, and all source words and the empty word are equally
 * probable. The results are the same bits for any number of threads.
 */
#ifndef ALIGNER_H
#define ALIGNER_H

#include "align/bitext.h"
#include "align/translation-table.h"

struct pool;

struct aligner_options {
	int ibm1, hmm;			/* iterations; without hmm, IBM model 1 aligns */
	double null;			/* probability of the empty word in the HMM */
	double prior;			/* of translations; 0: maximum likelihood */
	int longest;			/* sentences with more words on a side are not aligned */
};

/* Called after each iteration with the perplexity of target words under the previous estimate. */
struct aligner_progress {
	void (*tell)(void *arg, const char *model, int iteration, double perplexity);
	void *arg;
};

/*
 * Sets `source_of[j]`, for all target words j of b, to the number of a word in the source sentence,
 * or to -1 for the empty word.
 */
void aligner_run(const struct bitext *b, const struct aligner_options *o, struct pool *p,
		 const struct aligner_progress *progress, int *source_of);

/* A table after these iterations of IBM model 1 alone. */
void aligner_ibm1(const struct bitext *b, int iterations, double prior, struct pool *p,
		  struct translation_table *t);

#endif
