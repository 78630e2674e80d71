/*
 * mixture: the next token by several models, or at random.
 *
 * An ensemble predicts the mean of the probabilities of its models, as in fairseq, Sockeye and
 * tensor2tensor.  Marian multiplies them instead.
 *
 * Sampling draws each token from the model's distribution, with three changes, in the order of
 * Hugging Face and fairseq: logits are divided by the temperature; only the top_k most probable
 * tokens are retained (Fan et al. 2018, Hierarchical neural story generation, section 5.2); and of
 * these, the smallest set of most probable tokens that has at least the probability top_p
 * (Holtzman et al. 2020, The curious case of neural text degeneration, section 3.1).
 *
 * x is a row of log-probabilities of all vocabulary entries; -inf for excluded ones.
 */
#ifndef MIXTURE_H
#define MIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "tensor/kernels.h"

/*
 * Sets x[0] to log (1/n sum_k exp x[k]), for the entries `from` to `to` - 1.  With equal rows, the
 * result is bit-identical to them.  Entries whose log-probability is below `least` may become -inf.
 */
void mixture_mean(real *const *x, int n, int from, int to, real least);
/* The same for one entry, as the result. */
real mixture_entry(real *const *x, int n, int id);
/*
 * A value of `least` for mixture_mean() that loses none of the best entries of the mean.  `best`
 * has the best entries of one of the rows.
 */
real mixture_limit(real *const *x, int n, const struct best *best);

struct sampling {
	int n;			/* samples of each sentence; 0: search, without sampling */
	int top_k;		/* 0: all tokens */
	double top_p;		/* from 0 to 1; 1: all tokens */
	double temperature;	/* above 0 */
	int64_t seed;
};

/*
 * A uniform random number in [0, 1), which is a function of the seed, the record, the sample and
 * the position.
 */
double sampling_uniform(int64_t seed, int64_t record, int sample, int pos);

struct token_weight { double w; int id; };

/*
 * Draws one of the tokens `from` to `to` - 1, by the number u of sampling_uniform().  `room` [to -
 * from] is scratch memory.  Returns the token, or -1 if none has a finite log-probability.
 */
int sampling_draw(const struct sampling *s, const real *x, int from, int to, double u,
		  struct token_weight *room);

#endif
