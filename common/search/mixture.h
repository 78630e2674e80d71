/*
 * mixture: the next token as predicted by several models, or drawn at random.
 *
 * An ensemble predicts the mean of the probabilities of its models, as in fairseq, Sockeye and
 * tensor2tensor.  Marian multiplies them instead.
 *
 * Sampling draws each token from the distribution of the model after three changes, in the order of
 * Hugging Face and fairseq.  First, logits are divided by `temperature`.  Then only the `top_k`
 * most probable tokens are retained (Fan et al. 2018, Hierarchical Neural Story Generation, section
 * 5.2).  Of these, only the smallest set of most probable tokens is retained whose probabilities
 * sum to at least `top_p` (Holtzman et al. 2020, The Curious Case of Neural Text Degeneration,
 * section 3.1).
 *
 * In all functions, a row x or x[k] has the log-probabilities [V] of all vocabulary entries, -inf
 * for excluded ones.
 */
#ifndef MIXTURE_H
#define MIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "tensor/kernels.h"

/*
 * Replaces row x[0] by log (1/n sum_k exp x[k]), the log of the mean of the probabilities in n
 * rows, for the entries `from` to `to` - 1.  If all rows are equal, the result has the same bits.
 * Entries whose result would be below `least` may become -inf.
 */
void mixture_mean(real *const *x, int n, int from, int to, real least);
/* Returns log (1/n sum_k exp x[k][id]), the result of mixture_mean() for one entry. */
real mixture_entry(real *const *x, int n, int id);
/*
 * A value of `least` for mixture_mean() with which none of the best entries of the mean becomes
 * -inf.  `best` is a list of the best entries of one of the rows; as many entries of the mean are
 * safe as the list has room for.
 */
real mixture_limit(real *const *x, int n, const struct best *best);

struct sampling {
	int n;			/* number of samples of each sentence; 0: beam search */
	int top_k;		/* 0: all tokens */
	double top_p;		/* from 0 to 1; 1: all tokens */
	double temperature;	/* above 0 */
	int64_t seed;			/* see sampling_uniform() */
};

/*
 * A uniform random number in [0, 1).  It is a function of the seed, the index of the record in its
 * stream, the index of the sample and the target position.
 */
double sampling_uniform(int64_t seed, int64_t record, int sample, int pos);

struct token_weight { double w; int id; };

/*
 * Draws one of the tokens `from` to `to` - 1 with the random number u of sampling_uniform().
 * `room` [to - from] is memory for the function.  Returns the id of the token, or -1 if no token
 * has a finite log-probability.
 */
int sampling_draw(const struct sampling *s, const real *x, int from, int to, double u,
		  struct token_weight *room);

#endif
