/*
 * search: beam search over a batch of sentences (methods 1.3).
 *
 * Four variants, as four toolkits search.  len counts the end symbol, log_prob is
 * the sum over all symbols.
 *
 *   fairseq  log_prob / len^a.  Of the best 2*beam continuations those that end and rank
 *            among the first beam are final; the first beam others go on.  Ends with
 *            beam finals; at the longest length only the end symbol may come.
 *   gnmt     log_prob / ((5 + len) / 6)^a (Wu et al. 2016, Google's neural machine
 *            translation system, eq. 14).  Finished hypotheses keep their place in the
 *            beam and their score; ends when all of the beam are finished.
 *   onmt     the same score.  Finished hypotheses leave the beam; ends once one of them has
 *            been the best of its step and n_best are there.
 *   voita    log_prob / (1 + len / 6)^a.  Finished hypotheses leave the beam; what is worse
 *            than the best of them by more than spread, in score or log_prob, is dropped;
 *            ends when the beam is empty.
 *
 * In the last three, hypotheses of the longest length count as they are (voita: only
 * if none ended).  <pad> and <s> never come.  Ties go to the lower place in the beam,
 * then to the lower id; so the result is the same whatever shares the batch.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdint.h>

#include "data/batch.h"
#include "model/model.h"

enum search_variant { SEARCH_FAIRSEQ, SEARCH_GNMT, SEARCH_ONMT, SEARCH_VOITA };
extern const char *const search_variants[];	/* their names, NULL at the end */

struct search_settings {
	enum search_variant variant;
	int beam, n_best;
	double length_penalty;		/* the exponent a */
	double max_ratio;		/* longest hypothesis: ratio * source + extra, and the model's max_length; */
	int max_extra, min_length;	/* ... neither counts the end symbol; the source counts its own */
	double spread;			/* SEARCH_VOITA: see above; 0: off */
};

/* A variant's own beam, lengths and spread; length_penalty 1 for fairseq, else 0.6. */
void search_defaults(struct search_settings *s, enum search_variant variant);
double search_score(const struct search_settings *s, double log_prob, int len);

struct hypothesis {
	int n;
	int *id;			/* without the end symbol */
	double score, log_prob;		/* normalised as the variant does; plain sum */
};

struct translation { int n; struct hypothesis *best; };	/* best first, n <= n_best */

/*
 * Who translates batches one after another, with memory that is kept between them; it uses the model and
 * the pass, which must outlive it.  Several may share a model without attention variants, each with a
 * pass of its own, and work at the same time.
 */
struct searcher;

struct searcher *searcher_new(struct model *m, struct pass *p, const struct search_settings *s);
void searcher_free(struct searcher *x);		/* NULL is fine */

/*
 * Translates the batch's sentences, the next as soon as one is done, into out[0..b->n), allocated in
 * mem.  prefix[i], if prefix is given, is a forced beginning of prefix_n[i] symbols.  EXIT_INPUT, naming
 * the record, for a prefix that is too long or impossible and for scores that are no numbers.
 */
int search_batch(struct searcher *x, const struct batch *b, const int *const *prefix, const int *prefix_n,
		 struct arena *mem, struct translation *out, struct err *e) MUST_USE;

#endif
