/*
 * search: beam search over a batch of sentences.
 *
 * There are five variants, which follow five toolkits.  Below, log_prob is the sum of the
 * log-probabilities of a hypothesis' tokens, len their number including the end token, and a
 * the length penalty.
 *
 *   fairseq  score = log_prob / len^a.  Each step considers the best 2*beam continuations.  Those
 *            that end and rank among the best `beam` are finished; the best `beam` of the others
 *            are extended.  Stops when `beam` hypotheses are finished.  At the maximum length
 *            only the end token is allowed.
 *   gnmt     score = log_prob / ((5 + len) / 6)^a (Wu et al. 2016, Google's neural machine
 *            translation system, eq. 14).  Finished hypotheses keep their place in the beam and
 *            their score.  Stops when the whole beam is finished.
 *   onmt     The same score.  Finished hypotheses leave the beam.  Stops when one of them was the
 *            best of its step and n_best are finished.
 *   voita    score = log_prob / (1 + len / 6)^a.  Finished hypotheses leave the beam.  Hypotheses
 *            whose score or log_prob is more than `spread` below that of the best finished one are
 *            dropped.  Stops when the beam is empty.
 *   marian   score = log_prob / len^a.  Each finished hypothesis leaves the beam, which is one
 *            smaller from then on.  Stops when the beam is empty.  <unk> is never produced, but its
 *            probability is not given to others.
 *
 * In gnmt, onmt and marian, hypotheses that reach the maximum length are results without an end
 * token; in voita only if no hypothesis ended.  <pad> and <s> are never produced.  Ties go to the
 * hypothesis that ranked higher in the beam, then to the lower token id, so that the result does
 * not depend on the other sentences of the batch.
 *
 * With a coverage penalty b, the score of a hypothesis has the further term
 *
 *	b sum_i log min(sum_j p_ij, 1)
 *
 * (Wu et al. 2016, eq. 14), where p_ij is the weight with which target position j attends to source
 * position i: the mean over the heads of cross-attention in the penultimate decoder layer of the
 * first model.  The end tokens are positions, too.  gnmt ranks all hypotheses by this score; in the
 * other variants, the term counts only for finished ones.
 *
 * With sampling, each sample is extended by one random token per step (mixture.h), until it ends
 * or has the maximum length.  Its score is that of the variant, from the log-probabilities of the
 * model itself, without temperature, top_k and top_p.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdint.h>

#include "data/batch.h"
#include "model/model.h"
#include "model/search-variant.h"
#include "search/mixture.h"

/*
 * A hypothesis has at least min_length and at most max_ratio * source + max_extra tokens, and
 * never more than the model's max_length.  Its end token and a free prefix do not count; the end
 * token of the source does.
 */
struct search_settings {
	enum search_variant variant;
	int beam, n_best;
	double length_penalty;		/* the exponent a */
	double coverage_penalty;	/* the factor b; 0: no coverage penalty, the default */
	double max_ratio;
	int max_extra, min_length;
	int free_prefix;	/* number of forced tokens that count in no length and no
				 * log-probability; set by searcher_new(): 1 if the targets of the
				 * model have a first token, otherwise 0 */
	bool count_first;	/* the length penalty counts the free prefix, as transformers
				 * does */
	double spread;			/* SEARCH_VOITA only; 0: drop nothing */
	struct sampling sampling;	/* if its n is not 0, sample instead of searching */
	const char *noun;		/* what messages call a sentence: "record" or "line" */
};

/*
 * Sets s to the beam size, lengths and spread of the variant.  The length penalty is 1 for fairseq
 * and marian, otherwise 0.6.  The noun is "record".
 */
void search_defaults(struct search_settings *s, enum search_variant variant);

/*
 * The normalized score of a hypothesis of `len` tokens, the end token included, without coverage.
 */
double search_score(const struct search_settings *s, double log_prob, int len);

/* The maximum number of tokens of a translation of `source` tokens, free prefix included. */
int search_max_tokens(const struct search_settings *s, int source);

struct hypothesis {
	int n;
	int *id;			/* [n] without the end token */
	double score, log_prob;		/* score: normalized by search_score(); log_prob: the sum */
};

/*
 * The n <= n_best hypotheses of a sentence, best first; or n samples, or a hypothesis for each of n
 * masks, in the order of their numbers.
 */
struct translation { int n; struct hypothesis *best; };

/*
 * Searches one batch after another, and keeps its memory between them.  The model and the pass
 * must outlive it.  Several searchers may share a model and run at the same time if each has
 * its own pass.
 */
struct searcher;

/*
 * The maximum number of hypotheses in a step: large enough for efficient matrix products, small
 * enough for their activations to stay in the cache.
 */
enum { SEARCH_ROWS = 320 };

/* `s` is copied. */
struct searcher *searcher_new(struct model *m, struct pass *p, const struct search_settings *s);
void searcher_free(struct searcher *x);		/* x may be NULL */

/* The site whose weights the coverage penalty reads; it may have no heads, if it is pruned. */
size_t search_coverage_site(const struct model *m);

/*
 * Adds a model to the ensemble (mixture.h), before the first batch.  All models must have the same
 * target vocabulary.
 */
enum { ENSEMBLE_MAX = 16 };
void searcher_add(struct searcher *x, struct model *m);

/* Restricts translations to candidates of a shortlist, which must outlive x; NULL: no shortlist. */
struct shortlist;
void searcher_restrict(struct searcher *x, const struct shortlist *s);

/*
 * From now on, searches each sentence n times, with `gates` [n, heads of all sites] for the decoder
 * instead of those of model_gate(), which remain those of the encoder.  A translation has the best
 * hypothesis of each search, in the order of the gates.  The searches share the results of the
 * layers before their gates differ.  n is at most SEARCH_ROWS / beam, and sampling and further
 * models are not allowed.  The gates must outlive the searches.  With NULL, each sentence is
 * searched once, with the gates of the model.
 */
void searcher_mask(struct searcher *x, const real *gates, int n);
/*
 * With `repeat`, the caller guarantees that the next batches are the last one again, with the same
 * encoder output.  The search then reuses the keys and values of cross-attention, unless a model
 * has attention variants.
 */
void searcher_repeat(struct searcher *x, bool repeat);

/*
 * Translates the sentences of a batch into `out` [b->n], allocated in `mem`.  `b` is an array with
 * one batch for each model, with the same records.  A new sentence starts as soon as another is
 * finished.  `prefix[i]` has the first `prefix_n[i]` tokens of translation i; `prefix` may be NULL.
 * The first token of the model's targets is forced before them, as a free prefix, and is not in
 * `out`.  Returns -1 with EXIT_INPUT, naming the sentence, if a prefix is too long or contains an
 * invalid token, or if no hypothesis has a finite score.
 */
int search_batch(struct searcher *x, const struct batch *b, const int *const *prefix,
		 const int *prefix_n, struct arena *mem, struct translation *out,
		 struct err *e) MUST_USE;

#endif
