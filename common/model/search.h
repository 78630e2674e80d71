/*
 * search: beam search over a batch of sentences (methods 1.3).
 */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdint.h>

#include "data/batch.h"
#include "model/model.h"

enum search_variant { SEARCH_FAIRSEQ, SEARCH_GNMT, SEARCH_ONMT, SEARCH_VOITA };

struct search_settings {
	enum search_variant variant;
	int beam, n_best;
	double length_penalty;		/* exponent */
	double max_ratio;		/* longest hypothesis: ratio * source + extra, and the model's max_length */
	int max_extra, min_length;
	double spread;			/* SEARCH_VOITA: prune below best minus spread; 0: off */
};

struct hypothesis {
	int n;
	int *id;			/* without the end symbol */
	double score, log_prob;		/* normalised as the variant does; plain sum */
};

struct translation { int n; struct hypothesis *best; };	/* best first, n <= n_best */

/*
 * Translates the batch's sentences, in order, into out[0..b->n), allocated in mem.  prefix[i],
 * if prefix is given, is a forced beginning of prefix_n[i] symbols.
 */
int search_batch(struct model *m, struct pass *p, const struct batch *b, const struct search_settings *s,
		 const int *const *prefix, const int *prefix_n, struct arena *mem, struct translation *out,
		 struct err *e);

#endif
